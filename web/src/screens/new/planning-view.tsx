import type { DraftState, PlanningState } from '@contract';
import { duration, planningSentence } from '@told';
import { ask, goOn } from '../../api/ask.ts';
import { resumeWords } from '../../model/modes.ts';
import { draftWords } from '../../model/planning.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { useNow } from '../../ui/use-now.ts';
import type { Shown } from '../run/shown.ts';
import { OwnPlan } from './own-plan.tsx';
import { PlannerQuestion } from './planner-question.tsx';

/** A plan in the making: what was understood, each draft, why it was not good enough, what is asked. */
export function PlanningView({ shown }: { shown: Shown }) {
  const { run, id } = shown;
  const { planning } = run;
  if (planning === null) return null;
  const stopped = run.ended || run.status === 'paused' || run.status === 'failed';
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto]">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div tabIndex={0} className="overflow-auto">
        <div className="mx-auto max-w-190 px-4 pt-6 pb-8 max-md:px-3">
          <Doing planning={planning} stopped={stopped} />
          <h1 className="font-semibold text-[20px] leading-7 tracking-[-0.015em] [overflow-wrap:anywhere]">
            {planning.goal}
          </h1>
          {planning.restatement === null ? null : (
            <p className="mt-2 rounded-r-md border-mind border-l-2 bg-mind-bg px-3 py-2 text-dim whitespace-pre-line">
              <b className="font-medium text-mind">Understood as:</b> {planning.restatement}
            </p>
          )}
          {planning.feedback.map(({ stepId, step, reason }) => (
            <p key={stepId + reason} className="mt-2 text-dim">
              You declined “{step}”: {reason}
            </p>
          ))}
          <ol aria-label="Drafts" className="mt-4 border-t empty:hidden">
            {planning.drafts.map((draft) => (
              <Draft
                key={draft.n}
                draft={draft}
                hints={planning.reflectedOn === draft.n ? planning.hints : []}
              />
            ))}
          </ol>
          {planning.failures.length === 0 ? null : (
            <p className="mt-3 text-faint">{planning.failures.at(-1)?.message}</p>
          )}
          {planning.failed === null ? null : <Failed shown={shown} planning={planning} />}
        </div>
      </div>
      {planning.question === null ? (
        <footer className="mx-auto flex w-full max-w-190 justify-end gap-2 border-t px-4 py-2.5">
          {stopped && !run.ended ? (
            <Button look="primary" onClick={() => void goOn(id)}>
              {resumeWords(run)}
            </Button>
          ) : null}
          {run.ended ? null : (
            <Button onClick={() => void ask(id, { type: 'cancel-requested' })}>Stop planning</Button>
          )}
        </footer>
      ) : (
        <PlannerQuestion key={planning.question} id={id} question={planning.question} />
      )}
    </div>
  );
}

function Doing({ planning, stopped }: { planning: PlanningState; stopped: boolean }) {
  const now = useNow(planning.inFlight !== null);
  const moving = planning.active && !stopped;
  return (
    <p
      role="status"
      className={cx('flex items-center gap-2', planning.failed === null ? 'text-mind' : 'text-fail')}
    >
      <span aria-hidden="true" className={cx('size-2 rounded-full bg-current', moving && 'motion-pulse')} />
      {planningSentence(planning)}
      {planning.inFlight === null ? null : (
        <span className="text-faint">
          <span className="mono">{planning.inFlight.model.model}</span> ·{' '}
          <span className="num">{duration(now - planning.inFlight.startedAt)}</span>
        </span>
      )}
    </p>
  );
}

function Draft({ draft, hints }: { draft: DraftState; hints: readonly string[] }) {
  return (
    <li className="motion-rise grid grid-cols-[28px_minmax(0,1fr)] gap-x-3 border-b py-2.5">
      <span className="num pt-px text-right text-faint">{draft.n}</span>
      <div className="min-w-0">
        <p className={draft.status === 'proposed' ? 'text-done' : ''}>{draftWords(draft)}</p>
        <ul>
          {draft.reasons.map(({ code, step, message, hint }) => (
            <li key={code + step + message} className="text-dim">
              {message} <span className="text-faint">{hint}</span>
            </li>
          ))}
        </ul>
        {hints.length === 0 ? null : (
          <ul
            aria-label="Hints"
            className="mt-1 rounded-r-md border-mind border-l-2 bg-mind-bg px-3 py-1.5 text-dim"
          >
            {hints.map((hint) => (
              <li key={hint}>{hint}</li>
            ))}
          </ul>
        )}
        <details className="text-faint">
          <summary className="w-max">What was written</summary>
          <pre className="mono max-h-80 overflow-auto whitespace-pre-wrap rounded-md border bg-code p-2.5 text-dim">
            {draft.raw}
          </pre>
        </details>
      </div>
    </li>
  );
}

function Failed({ shown, planning }: { shown: Shown; planning: PlanningState }) {
  const { failed } = planning;
  return (
    <section className="mt-4">
      <h2 className="font-semibold text-[14px]">No plan came of it</h2>
      <p className="text-dim">{failed?.message}</p>
      {shown.run.ended ? null : <OwnPlan shown={shown} />}
    </section>
  );
}
