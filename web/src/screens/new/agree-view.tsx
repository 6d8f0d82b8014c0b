import { actionText, type EventOf, type Mode, type ShownStep } from '@contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import { count, isAnswered, listed, visible } from '@told';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { ask } from '../../api/ask.ts';
import { usePreview } from '../../api/queries.ts';
import { agreementOf } from '../../model/agreement.ts';
import { modeLock } from '../../model/modes.ts';
import { shortPath } from '../../model/paths.ts';
import { modeMeaning, modeName } from '../../model/words.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import type { Shown } from '../run/shown.ts';
import { UnderWay } from '../run/under-way.tsx';
import { AgreeStep } from './agree-step.tsx';
import { ProposalNote } from './proposal-note.tsx';

const modes = (['teacher', 'planner', 'agentic'] as const).map((value) => ({
  value,
  label: modeName[value],
  title: modeMeaning[value],
  machine: value === 'agentic',
}));

/** The plan before it is run: every step, what is dangerous in it, and one button. */
export function AgreeView({ shown }: { shown: Shown }) {
  const { run, id } = shown;
  const plan = run.plan!;
  const box = useRef<HTMLDivElement>(null);
  const preview = usePreview(id, run);
  const [declining, setDeclining] = useState(false);
  const [reason, setReason] = useState('');
  const [sending, setSending] = useState(false);
  const answered = isAnswered(run);
  const busy = sending || answered;
  // Until what was sent is heard of, or the plan is another one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these say that it was heard of
  useEffect(() => setSending(false), [answered, plan.revision]);
  const shownSteps = preview.data?.revision === plan.revision ? preview.data.steps : undefined;
  const verdicts = useMemo(
    () => new Map(shownSteps?.map((each) => [each.subject.stepId, each])),
    [shownSteps],
  );
  const totals = useMemo(() => agreementOf(run, shownSteps ?? []), [run, shownSteps]);
  const decide = async (decision: EventOf<'plan-decided'>['decision'], why = '') => {
    setSending(true);
    const sent = await ask(id, {
      type: 'plan-decided',
      revision: plan.revision,
      decision,
      ...(decision === 'all' && totals.dangerous.length > 0 ? { approves: totals.dangerous } : {}),
      ...(why.trim() === '' ? {} : { reason: why.trim() }),
    });
    if (!sent) setSending(false);
  };
  const mode = run.options?.mode ?? 'planner';
  const waitingForRisk = shownSteps === undefined && preview.isPending && preview.fetchStatus !== 'idle';
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
      <div>
        <UnderWay shown={shown} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={box} tabIndex={0} className="overflow-auto">
        <div className="mx-auto max-w-240 px-4 pt-6 pb-8 max-md:px-3">
          <p className="text-wait">Agree on the plan</p>
          <h1 className="font-semibold text-[20px] leading-7 tracking-[-0.015em] [overflow-wrap:anywhere]">
            {visible(plan.goal)}
          </h1>
          <p className="mt-1 text-dim">
            {totals.sentence} In <code className="mono">{shortPath(run.workspace)}</code>.
          </p>
          {run.planning?.proposal ? (
            <ProposalNote proposal={run.planning.proposal} restatement={run.planning.restatement} />
          ) : null}
          <Inputs shown={shown} />
          <StepList box={box} shown={shown} verdicts={verdicts} />
        </div>
      </div>
      <footer className="border-wait border-t bg-wait-bg">
        <div className="mx-auto flex max-w-240 flex-wrap items-center gap-2 px-4 py-3 max-md:px-3">
          {declining ? (
            <form
              className="flex flex-1 flex-wrap gap-2"
              onSubmit={(event) => {
                event.preventDefault();
                void decide('cancel', reason);
              }}
            >
              <input
                // biome-ignore lint/a11y/noAutofocus: the person asked to decline
                autoFocus
                aria-label="Why not"
                placeholder="Why not? (optional)"
                value={reason}
                onChange={(event) => setReason(event.target.value)}
                onKeyDown={(event) => event.key === 'Escape' && setDeclining(false)}
                className="h-7 min-w-48 flex-1 rounded-md border border-line-strong bg-code px-2.5 placeholder:text-faint max-md:h-9"
              />
              <Button look="danger" type="submit" disabled={busy}>
                Decline the plan
              </Button>
              <Button look="ghost" onClick={() => setDeclining(false)}>
                Back
              </Button>
            </form>
          ) : (
            <>
              <Segmented<Mode>
                label="Mode"
                value={mode}
                choices={modes}
                locked={modeLock(run)}
                onChange={(next) => void ask(id, { type: 'mode-requested', mode: next })}
              />
              <span className="mr-auto text-dim max-md:hidden">{modeMeaning[mode]}</span>
              <Button look="ghost" disabled={busy} onClick={() => setDeclining(true)}>
                Decline…
              </Button>
              <Button disabled={busy} onClick={() => void decide('step-by-step')}>
                Step by step
              </Button>
              <Button
                look="primary"
                disabled={busy || waitingForRisk}
                onClick={() => void decide('all')}
                className="max-md:ml-auto"
              >
                {totals.button}
              </Button>
            </>
          )}
        </div>
        {totals.dangerous.length === 0 ? null : (
          <p className="mx-auto max-w-240 px-4 pb-2.5 text-dim max-md:px-3">
            ▲ Agreeing approves {count(totals.dangerous.length, 'dangerous step')}, each for exactly what is
            shown:{' '}
            {listed(
              totals.dangerous.map(({ subject }) => visible(actionText(subject.action).text)),
              3,
            )}
            .
          </p>
        )}
      </footer>
    </div>
  );
}

interface StepListProps {
  /** What scrolls. */
  box: RefObject<HTMLDivElement | null>;
  shown: Shown;
  verdicts: ReadonlyMap<string, ShownStep>;
}

/** Only those in sight are there: a plan may have thousands of steps. */
function StepList({ box, shown, verdicts }: StepListProps) {
  const list = useRef<HTMLOListElement>(null);
  const [offset, setOffset] = useState(0);
  const { run } = shown;
  const steps = run.plan!.steps;
  useLayoutEffect(() => {
    if (list.current !== null) setOffset(list.current.offsetTop);
  }, []);
  const virtual = useVirtualizer({
    count: steps.length,
    getScrollElement: () => box.current,
    estimateSize: () => 79,
    getItemKey: (at) => steps[at]!.id,
    overscan: 8,
    scrollMargin: offset,
  });
  return (
    <ol
      ref={list}
      aria-label="Steps of the plan"
      className="relative mt-4 border-t"
      style={{ height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map(({ index, start }) => {
        const step = steps[index]!;
        return (
          <li
            key={step.id}
            ref={virtual.measureElement}
            data-index={index}
            className="absolute top-0 left-0 w-full"
            style={{ transform: `translateY(${start - offset}px)` }}
          >
            <AgreeStep
              shown={shown}
              step={step}
              number={index + 1}
              left={run.steps[index]?.status === 'skipped'}
              judged={verdicts.get(step.id)}
            />
          </li>
        );
      })}
    </ol>
  );
}

function Inputs({ shown }: { shown: Shown }) {
  const inputs = shown.run.plan?.inputs ?? [];
  if (inputs.length === 0) return null;
  return (
    <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 rounded-md border px-3 py-2">
      {inputs.map(({ name, secret, description }) => (
        <div key={name} className="contents">
          <dt className="mono text-faint" title={description}>
            {name}
          </dt>
          <dd className="mono truncate">{secret ? '••••••' : (shown.run.options?.inputs[name] ?? '')}</dd>
        </div>
      ))}
    </dl>
  );
}
