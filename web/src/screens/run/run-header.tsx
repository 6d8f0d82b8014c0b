import { elsewhere, type Mode } from '@contract';
import { Link } from '@tanstack/react-router';
import { activeTime, helpWanted, sentenceOf, type Tone, visible } from '@told';
import { Ellipsis, MessageCircle } from 'lucide-react';
import { useEffect } from 'react';
import { ask, goOn } from '../../api/ask.ts';
import { askAbout, unask, useLook } from '../../api/look.ts';
import { useLack } from '../../api/me.ts';
import { useConfig, useTurn } from '../../api/queries.ts';
import { budgetsOf } from '../../model/budgets.ts';
import { controlsOf, modeLock, resumeWords } from '../../model/modes.ts';
import { workedWords } from '../../model/time.ts';
import { modeMeaning, modeName } from '../../model/words.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/menu.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useNow } from '../../ui/use-now.ts';
import { AgainDialog, useAgain } from './again.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import type { Shown } from './shown.ts';
import { UndoDialog } from './undo-dialog.tsx';

const tones: Record<Tone, string> = {
  quiet: 'text-dim',
  going: 'text-text',
  done: 'text-done',
  wait: 'text-wait',
  fail: 'text-fail',
  mind: 'text-mind',
};
const modes = (['teacher', 'planner', 'agentic'] as const).map((value) => ({
  value,
  label: modeName[value],
  title: modeMeaning[value],
  machine: value === 'agentic',
}));

export function RunHeader({ shown }: { shown: Shown }) {
  const { run, id } = shown;
  const asked = useLook((look) => look.dialog);
  const dialog = asked?.of === id ? asked.what : null;
  // Whoever leaves the run has not answered, and is not asked again when they come back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the run that is left
  useEffect(() => unask, [id]);
  const controls = controlsOf(run);
  // What is not used yet says nothing, and takes the room of the sentence.
  const meters = budgetsOf(run).filter(({ used }) => used > 0);
  const again = useAgain(shown);
  const mode = run.options?.mode ?? 'planner';
  const quiet = !shown.live;
  const [undecided, unasked] = [useLack('decide'), useLack('ask')];
  const mayAsk = unasked === null;
  return (
    <header className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-1 border-b px-4 py-2.5 max-md:grid-cols-1 max-md:gap-y-2 max-md:px-3">
      <h1
        className="truncate font-semibold text-title tracking-[-0.01em] max-md:line-clamp-2 max-md:whitespace-normal"
        title={visible(run.plan?.goal ?? '')}
      >
        {visible(run.plan?.goal ?? '')}
      </h1>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 max-md:row-start-3 max-md:gap-x-2">
        <Segmented<Mode>
          label="Mode"
          value={mode}
          choices={modes}
          locked={quiet ? 'This is the past' : (undecided ?? modeLock(run))}
          onChange={(next) => void ask(id, { type: 'mode-requested', mode: next })}
        />
        <div className="flex items-center gap-2 max-md:ml-auto" title={unasked ?? undefined}>
          <fieldset disabled={!mayAsk} className="contents">
            {controls.resume ? (
              <Button
                look="primary"
                hint="p"
                disabled={quiet}
                onClick={() => void goOn(id)}
                // On a phone the question below has it, and there is little room.
                className={helpWanted(run)?.kind === 'stuck' ? 'max-md:hidden' : ''}
              >
                {resumeWords(run)}
              </Button>
            ) : null}
            {controls.pause ? (
              <Button hint="p" disabled={quiet} onClick={() => void ask(id, { type: 'pause-requested' })}>
                Pause
              </Button>
            ) : null}
            {run.ended ? (
              <Button disabled={quiet} onClick={() => void again.repeat()} className="max-md:hidden">
                Run again
              </Button>
            ) : null}
            <Button
              disabled={quiet || !controls.undo}
              onClick={() => askAbout(id, 'undo')}
              className="max-md:hidden"
            >
              Undo…
            </Button>
          </fieldset>
          <Link
            from="/runs/$id"
            to="/runs/$id"
            params={{ id }}
            search={(before) => ({ ...before, ask: before.ask === true ? undefined : true })}
            replace
            aria-label="Ask about this run"
            title="Ask about this run (t)"
            aria-keyshortcuts="t"
            className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-dim hover:bg-hover hover:text-text max-md:size-9"
          >
            <MessageCircle size={16} />
          </Link>
          <Menu
            trigger={
              <IconButton label="More about this run">
                <Ellipsis size={16} />
              </IconButton>
            }
            items={[
              { label: 'Undo…', disabled: !mayAsk || !controls.undo, onSelect: () => askAbout(id, 'undo') },
              {
                label: 'Run again',
                disabled: !mayAsk || run.plan === null,
                onSelect: () => void again.repeat(),
              },
              {
                label: 'Run again from the failed step',
                disabled: !mayAsk || again.failed === null,
                onSelect: () => void again.fromFailed(),
              },
              {
                label: 'Run again with other inputs…',
                disabled: !mayAsk || (run.plan?.inputs ?? []).length === 0,
                onSelect: () => askAbout(id, 'inputs'),
              },
              { label: 'Download the plan', onSelect: () => void again.download() },
              { label: 'Copy the run’s id', onSelect: () => void navigator.clipboard.writeText(id) },
              null,
              {
                label: 'Cancel the run…',
                danger: true,
                disabled: !mayAsk || !controls.cancel,
                onSelect: () => askAbout(id, 'cancel'),
              },
            ]}
          />
        </div>
      </div>
      <Doing shown={shown} alone={meters.length === 0} />
      {meters.length === 0 ? null : (
        <div className="flex gap-5 max-md:row-start-4 max-md:gap-3">
          {meters.map((meter) => (
            <Meter key={meter.name} meter={meter} />
          ))}
        </div>
      )}
      {dialog === 'undo' ? <UndoDialog id={id} onClose={unask} /> : null}
      {dialog === 'inputs' ? <AgainDialog shown={shown} onClose={unask} /> : null}
      {dialog === 'cancel' ? <CancelDialog id={id} onClose={unask} /> : null}
    </header>
  );
}

/** `alone`: nothing stands beside it. */
function Doing({ shown, alone }: { shown: Shown; alone: boolean }) {
  const { run } = shown;
  const counting = !run.ended && shown.live;
  const now = useNow(counting);
  const { undrivenSince: since } = useTurn(shown.id, run);
  const { text, tone } = sentenceOf(run, shown.live && since !== null ? { since, now } : null);
  const end = run.ended ? (run.endedAt ?? run.updatedAt) : shown.live ? now : run.updatedAt;
  const source = run.plan?.steps.find((step) => step.source !== undefined)?.source;
  const here = useConfig().data?.host;
  const away = here === undefined ? null : elsewhere(run.place, here);
  const moving = counting && (tone === 'mind' || tone === 'going');
  return (
    <p className={cx('flex min-w-0 flex-wrap items-baseline gap-x-2', alone && 'col-span-full')}>
      <span className={cx('flex min-w-0 items-baseline gap-2', tones[tone])}>
        <span
          aria-hidden="true"
          className={cx('size-2 shrink-0 rounded-full bg-current', moving && 'motion-pulse')}
        />
        <span className="min-w-0 [overflow-wrap:anywhere]" role="status">
          {visible(text)}
        </span>
      </span>
      {run.status === 'paused' && run.message !== null ? (
        <span className="min-w-0 text-faint [overflow-wrap:anywhere]">{visible(run.message)}</span>
      ) : null}
      {away === null ? null : (
        <span className="truncate text-wait" title={away}>
          · on host {run.place.host}
        </span>
      )}
      <span className="shrink-0 whitespace-nowrap text-faint">
        · worked <span className="num">{workedWords(activeTime(run, end))}</span>
      </span>
      {source === undefined ? null : (
        <span className="mono truncate text-faint max-lg:hidden" title={source.file}>
          · {visible(source.file.split('/').at(-1) ?? '')}
        </span>
      )}
    </p>
  );
}
