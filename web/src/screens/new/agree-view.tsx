import { actionText, itemAt, type Mode, type ProposedPlan, proposedPlan, type ShownStep } from '@contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import { count, listed, visible } from '@told';
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { ask } from '../../api/ask.ts';
import { modeLock } from '../../model/modes.ts';
import { shortPath } from '../../model/paths.ts';
import { modeMeaning, modeName } from '../../model/words.ts';
import { Needs } from '../../shell/needs.tsx';
import { Button } from '../../ui/button.tsx';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import type { Shown } from '../run/shown.ts';
import { UnderWay } from '../run/under-way.tsx';
import { AgreeStep, tagOf } from './agree-step.tsx';
import { EditPlan } from './edit-plan.tsx';
import { ProposalNote } from './proposal-note.tsx';
import { useAgreeing } from './use-agreeing.ts';

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
  const agreeing = useAgreeing(shown);
  const { steps, verdicts, totals, waitingForRisk, decide } = agreeing;
  // What somebody else wrote is presented as they wrote it.
  const proposed = useMemo(
    () => (run.planning?.proposal && steps !== undefined ? proposedPlan(run, steps) : null),
    [run, steps],
  );
  const [declining, setDeclining] = useState(false);
  const [reason, setReason] = useState('');
  const [writing, setWriting] = useState(false);
  const busy = agreeing.busy || writing;
  const mode = run.options?.mode ?? 'planner';
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
            {waitingForRisk ? <span className="motion-breathe"> Its steps are being judged…</span> : null}
          </p>
          {agreeing.unjudged === null ? null : (
            <p role="alert" className="mt-1 text-fail">
              Its steps could not be judged: {agreeing.unjudged.message}. What is dangerous is asked about
              before it is run.{' '}
              <button type="button" className="underline underline-offset-4" onClick={agreeing.judgeAgain}>
                Judge them again
              </button>
            </p>
          )}
          {run.planning?.proposal ? (
            <ProposalNote
              proposal={run.planning.proposal}
              restatement={run.planning.restatement}
              proposed={proposed}
            />
          ) : null}
          <Inputs shown={shown} />
          {writing ? (
            <EditPlan shown={shown} onClose={() => setWriting(false)} />
          ) : (
            <>
              <div className="mt-4 flex justify-end">
                <Button look="ghost" disabled={busy} onClick={() => setWriting(true)}>
                  Edit the plan as text
                </Button>
              </div>
              <StepList box={box} shown={shown} verdicts={verdicts} proposed={proposed} />
            </>
          )}
        </div>
      </div>
      <Needs scope="decide">
        <footer className="border-wait border-t bg-wait-bg">
          <div className="mx-auto flex max-w-240 flex-wrap items-center gap-2 px-4 py-3 max-md:px-3">
            {declining ? (
              <ReasonForm
                reason={reason}
                placeholder="Why not? (optional)"
                label="Decline the plan"
                danger
                className="flex-1"
                busy={busy}
                onChange={setReason}
                onSend={() => void decide('cancel', { why: reason })}
                onBack={() => setDeclining(false)}
              />
            ) : (
              <>
                <Segmented<Mode>
                  label="Mode"
                  value={mode}
                  choices={modes}
                  locked={modeLock(run)}
                  onChange={(next) => void ask(id, { type: 'mode-requested', mode: next })}
                />
                <span
                  className="min-w-0 flex-1 basis-0 truncate text-dim max-lg:hidden"
                  title={modeMeaning[mode]}
                >
                  {modeMeaning[mode]}
                </span>
                <Button
                  look="ghost"
                  disabled={busy}
                  className="max-lg:ml-auto max-md:ml-0"
                  onClick={() => setDeclining(true)}
                >
                  Decline…
                </Button>
                <Button disabled={busy} onClick={() => void decide('step-by-step')}>
                  Step by step
                </Button>
                {totals.approves.length === 0 ? null : (
                  <Button disabled={busy || waitingForRisk} onClick={() => void decide('all')}>
                    Run, ask at dangerous
                  </Button>
                )}
                <Button
                  look="primary"
                  disabled={busy || waitingForRisk}
                  onClick={() => void decide('all', { approves: totals.approves })}
                  className="max-lg:ml-auto"
                >
                  {totals.button}
                </Button>
              </>
            )}
          </div>
          {totals.approves.length === 0 ? null : (
            <p className="mx-auto max-w-240 px-4 pb-2.5 text-dim max-md:px-3">
              ▲ “{totals.button}” approves {count(totals.approves.length, 'dangerous step')}
              {totals.approves.length === 1 ? '' : ', each'} for exactly what is shown:{' '}
              {listed(
                totals.approves.map(({ subject }) => visible(actionText(subject.action).text)),
                3,
              )}
              .
            </p>
          )}
        </footer>
      </Needs>
    </div>
  );
}

interface StepListProps {
  /** What scrolls. */
  box: RefObject<HTMLDivElement | null>;
  shown: Shown;
  verdicts: ReadonlyMap<string, ShownStep>;
  proposed: ProposedPlan | null;
}

/** Only those in sight are there: a plan may have thousands of steps. */
function StepList({ box, shown, verdicts, proposed }: StepListProps) {
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
      className="relative mt-1 border-t"
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
              left={itemAt(run.steps, index)?.status === 'skipped'}
              judged={verdicts.get(step.id)}
              tag={tagOf(proposed, index)}
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
