import { elsewhere, type Mode } from '@contract';
import { activeTime, sentenceOf, type Tone } from '@told';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { useConfig } from '../../api/queries.ts';
import { budgetsOf } from '../../model/budgets.ts';
import { controlsOf, modeLock } from '../../model/modes.ts';
import { shortPath } from '../../model/paths.ts';
import { stopwatch } from '../../model/time.ts';
import { modeMeaning, modeName } from '../../model/words.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/menu.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useNow } from '../../ui/use-now.ts';
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
  const [dialog, setDialog] = useState<'undo' | 'cancel' | null>(null);
  const controls = controlsOf(run);
  const meters = budgetsOf(run);
  const request = (type: 'pause-requested' | 'resume-requested') => () => void ask(id, { type });
  const mode = run.options?.mode ?? 'planner';
  const quiet = !shown.live;
  return (
    <header className="flex min-h-19 flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b px-4 py-3 max-md:px-3">
      <div className="min-w-0 flex-1 basis-80">
        <h1 className="truncate font-semibold text-title tracking-[-0.01em]" title={run.plan?.goal}>
          {run.plan?.goal}
        </h1>
        <Doing shown={shown} />
      </div>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 max-md:w-full">
        {meters.length === 0 ? null : (
          <div className="flex gap-5 max-md:w-full max-md:justify-between max-md:gap-3">
            {meters.map((meter) => (
              <Meter key={meter.name} meter={meter} />
            ))}
          </div>
        )}
        <Segmented<Mode>
          label="Mode"
          value={mode}
          choices={modes}
          locked={quiet ? 'This is the past' : modeLock(run)}
          onChange={(next) => void ask(id, { type: 'mode-requested', mode: next })}
        />
        <div className="flex items-center gap-2 max-md:ml-auto">
          {controls.resume ? (
            <Button look="primary" hint="p" disabled={quiet} onClick={request('resume-requested')}>
              {run.status === 'failed' ? 'Try again' : 'Go on'}
            </Button>
          ) : null}
          {controls.pause ? (
            <Button hint="p" disabled={quiet} onClick={request('pause-requested')}>
              Pause
            </Button>
          ) : null}
          <Button
            disabled={quiet || !controls.undo}
            onClick={() => setDialog('undo')}
            className="max-md:hidden"
          >
            Undo…
          </Button>
          <Menu
            trigger={
              <IconButton label="More about this run">
                <Ellipsis size={16} />
              </IconButton>
            }
            items={[
              { label: 'Undo…', disabled: !controls.undo, onSelect: () => setDialog('undo') },
              { label: 'Copy the run’s id', onSelect: () => void navigator.clipboard.writeText(id) },
              null,
              {
                label: 'Cancel the run…',
                danger: true,
                disabled: !controls.cancel,
                onSelect: () => setDialog('cancel'),
              },
            ]}
          />
        </div>
      </div>
      {dialog === 'undo' ? <UndoDialog id={id} onClose={() => setDialog(null)} /> : null}
      {dialog === 'cancel' ? <CancelDialog id={id} onClose={() => setDialog(null)} /> : null}
    </header>
  );
}

function Doing({ shown }: { shown: Shown }) {
  const { run } = shown;
  const { text, tone } = sentenceOf(run);
  const counting = !run.ended && shown.live;
  const now = useNow(counting);
  const end = run.ended ? (run.endedAt ?? run.updatedAt) : shown.live ? now : run.updatedAt;
  const source = run.plan?.steps[0]?.source;
  const here = useConfig().data?.host;
  const away = here === undefined ? null : elsewhere(run.place, here);
  const moving = counting && (tone === 'mind' || tone === 'going');
  return (
    <p className="flex min-w-0 items-center gap-2">
      <span className={cx('flex min-w-0 items-center gap-2', tones[tone])}>
        <span
          aria-hidden="true"
          className={cx('size-2 shrink-0 rounded-full bg-current', moving && 'motion-pulse')}
        />
        <span className="truncate" role="status">
          {text}
        </span>
        {run.status === 'paused' && run.message !== null ? (
          <span className="truncate text-faint max-md:hidden">{run.message}</span>
        ) : null}
      </span>
      {away === null ? null : (
        <span className="truncate text-wait" title={away}>
          · on host {run.place.host}
        </span>
      )}
      <span className="shrink-0 whitespace-nowrap text-faint">
        · <span className="num">{stopwatch(activeTime(run, end))}</span>
      </span>
      <span className="mono truncate text-faint max-lg:hidden">
        {source === undefined ? shortPath(run.workspace) : `${source.file.split('/').at(-1)}:${source.line}`}
      </span>
    </p>
  );
}
