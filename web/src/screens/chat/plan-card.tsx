import { actionText, isPlanning, itemAt, type PlanOutcome, proposedPlan, stepState } from '@contract';
import { Link } from '@tanstack/react-router';
import {
  count,
  helpWanted,
  listed,
  openQuestion,
  planningSentence,
  proposedFacts,
  sentenceOf,
  visible,
} from '@told';
import { Fragment, useMemo, useState } from 'react';
import { askChat } from '../../api/ask-chat.ts';
import { useFeed, useRunFeed } from '../../api/use-run.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Skeleton } from '../../ui/notice.tsx';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { Risk } from '../../ui/risk.tsx';
import { AgreeStep, tagOf } from '../new/agree-step.tsx';
import { PlannerQuestion } from '../new/planner-question.tsx';
import { useAgreeing } from '../new/use-agreeing.ts';
import { Dock } from '../run/dock/dock.tsx';
import { type Shown, useShown } from '../run/shown.ts';

const ToRun = ({ run, label = 'Open the run' }: { run: string; label?: string }) => (
  <Link
    to="/runs/$id"
    params={{ id: run }}
    search={{}}
    className="underline decoration-line-strong underline-offset-4 hover:decoration-current"
  >
    {label}
  </Link>
);

const shapes: Record<string, string> = { done: '●', failed: '✕', skipped: '–', running: '◉' };
const tones: Record<string, string> = { done: 'text-done', failed: 'text-fail', running: 'text-text' };

/** What a plan of the conversation came to. */
export function PlanResults({ plan }: { plan: PlanOutcome }) {
  const done = plan.steps.filter(({ status }) => status === 'done').length;
  return (
    <section aria-label="Plan results" className="min-w-0 rounded-md border bg-surface px-3 py-2.5">
      <h3 className="flex flex-wrap items-baseline gap-x-2 font-semibold">
        {plan.agreed
          ? `Plan ${plan.state}: ${done} of ${count(plan.steps.length, 'step')} done`
          : 'No plan was agreed on'}
        <span className="ml-auto font-normal">
          <ToRun run={plan.run} />
        </span>
      </h3>
      {plan.agreed ? (
        <ol className="mt-1.5 grid gap-0.5">
          {plan.steps.map(({ stepId, title, status, message }) => (
            <li key={stepId} className="grid grid-cols-[16px_minmax(0,1fr)_auto] gap-x-2">
              <span aria-hidden="true" className={cx('text-center', tones[status] ?? 'text-faint')}>
                {shapes[status] ?? '○'}
              </span>
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {visible(title)}
                {message === undefined ? null : <span className="text-dim"> {visible(message)}</span>}
              </span>
              <span className={tones[status] ?? 'text-faint'}>{status}</span>
            </li>
          ))}
        </ol>
      ) : (
        <p className="text-dim">The message is answered step by step.</p>
      )}
    </section>
  );
}

/** A plan that is being made, agreed on or run. */
export function PlanCard({ chat, run }: { chat: string; run: string }) {
  const feed = useRunFeed(run);
  const shown = useShown(feed, undefined);
  const error = useFeed(feed, (state) => state.error);
  if (error !== null) return <p className="text-dim">The plan cannot be read: {error.message}</p>;
  if (shown === null) return <Skeleton rows={3} />;
  const state = shown.run;
  if (isPlanning(state) || state.plan === null) return <Making chat={chat} shown={shown} />;
  if (state.status === 'agreeing') return <Agreeing shown={shown} />;
  return <Going shown={shown} />;
}

function Making({ chat, shown: { run, id } }: { chat: string; shown: Shown }) {
  const { planning } = run;
  const question = planning?.question ?? null;
  return (
    <section aria-label="Plan" className="min-w-0 overflow-hidden rounded-md border bg-surface">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
        <span role="status" className="text-mind">
          <span aria-hidden="true" className="motion-breathe mr-2">
            ◉
          </span>
          {planning === null ? 'A plan is being made' : planningSentence(planning)}
        </span>
        <span className="mr-auto text-faint">A plan is made first: it looks like work of several steps.</span>
        <ToRun run={id} label="Look" />
        <Button look="ghost" onClick={() => void askChat(chat, { type: 'plan-dropped' })}>
          Answer without a plan
        </Button>
      </div>
      {question === null ? null : <PlannerQuestion id={id} question={question} />}
    </section>
  );
}

function Agreeing({ shown }: { shown: Shown }) {
  const { run, id } = shown;
  const plan = run.plan!;
  const { steps, verdicts, totals, busy, waitingForRisk, decide } = useAgreeing(shown);
  const [declining, setDeclining] = useState(false);
  const [reason, setReason] = useState('');
  const proposed = useMemo(() => (steps === undefined ? null : proposedPlan(run, steps)), [run, steps]);
  const intent = run.planning?.proposal?.summary.trim() ?? '';
  return (
    <section
      aria-label="Plan"
      data-testid="plan"
      className="motion-rise min-w-0 overflow-hidden rounded-md border border-wait"
    >
      <div className="px-3 pt-2.5 pb-1">
        <p className="text-wait">Agree on the plan</p>
        <h3 className="font-semibold text-[15px] [overflow-wrap:anywhere]">{visible(plan.goal)}</h3>
        {intent === '' ? null : <p className="text-dim [overflow-wrap:anywhere]">{visible(intent)}</p>}
        {proposed === null ? (
          <p className="mt-2 text-faint">Its steps are being judged…</p>
        ) : (
          <dl className="mt-2 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-0.5">
            {proposedFacts(proposed).map(([label, text]) => (
              <Fragment key={label}>
                <dt className="text-faint">{label}</dt>
                <dd className="min-w-0 [overflow-wrap:anywhere]">
                  {label === 'Risk level' ? <Risk level={proposed.level} word /> : text}
                  {label === 'Files affected' && proposed.files.length > 0 ? (
                    <span className="mono text-dim"> {visible(listed(proposed.files, 6))}</span>
                  ) : null}
                </dd>
              </Fragment>
            ))}
          </dl>
        )}
        <ol aria-label="Steps of the plan" className="mt-2 border-t">
          {plan.steps.map((step, at) => (
            <li key={step.id}>
              <AgreeStep
                shown={shown}
                step={step}
                number={at + 1}
                left={stepState(run, step.id)?.status === 'skipped'}
                judged={verdicts.get(step.id)}
                tag={tagOf(proposed, at)}
              />
            </li>
          ))}
        </ol>
      </div>
      <footer className="border-wait border-t bg-wait-bg px-3 py-2.5">
        {declining ? (
          <ReasonForm
            reason={reason}
            placeholder="Why not? (optional)"
            label="Decline the plan"
            danger
            busy={busy}
            onChange={setReason}
            onSend={() => void decide('cancel', { why: reason })}
            onBack={() => setDeclining(false)}
          />
        ) : (
          <div className="flex flex-wrap items-center gap-2">
            <Button
              look="primary"
              disabled={busy || waitingForRisk}
              onClick={() => void decide('all', { approves: totals.approves })}
            >
              {totals.button}
            </Button>
            {totals.approves.length === 0 ? null : (
              <Button disabled={busy || waitingForRisk} onClick={() => void decide('all')}>
                Run, ask at dangerous
              </Button>
            )}
            <Button disabled={busy} onClick={() => setDeclining(true)}>
              Decline…
            </Button>
            {totals.approves.length === 0 ? (
              <span className="text-dim max-md:hidden">Declined, the message is answered step by step.</span>
            ) : null}
            <span className="ml-auto">
              <ToRun run={id} label="Open as a run" />
            </span>
          </div>
        )}
        {totals.approves.length === 0 ? null : (
          <p className="mt-2 text-dim [overflow-wrap:anywhere]">
            ▲ “{totals.button}” approves {count(totals.approves.length, 'dangerous step')}, each for exactly
            what is shown:{' '}
            {listed(
              totals.approves.map(({ subject }) => visible(actionText(subject.action).text)),
              3,
            )}
            .
          </p>
        )}
      </footer>
    </section>
  );
}

/** A plan under way: its steps, and what it asks, here. */
function Going({ shown }: { shown: Shown }) {
  const { run, id } = shown;
  const { text, tone } = sentenceOf(run, null);
  const question = openQuestion(run) ?? helpWanted(run);
  return (
    <section aria-label="Plan" className="min-w-0 overflow-hidden rounded-md border bg-surface">
      <div className="px-3 py-2">
        <h3 className="flex flex-wrap items-baseline gap-x-2">
          <span role="status" className={tone === 'wait' ? 'text-wait' : tone === 'fail' ? 'text-fail' : ''}>
            {visible(text)}
          </span>
          <span className="ml-auto">
            <ToRun run={id} />
          </span>
        </h3>
        <ol className="mt-1 grid gap-0.5">
          {run.plan!.steps.slice(0, 50).map(({ id: stepId, title }, at) => {
            const status = itemAt(run.steps, at)?.status ?? 'pending';
            return (
              <li key={stepId} className="grid grid-cols-[16px_minmax(0,1fr)_auto] gap-x-2">
                <span
                  aria-hidden="true"
                  className={cx(
                    'text-center',
                    tones[status] ?? 'text-faint',
                    status === 'running' && 'motion-breathe',
                  )}
                >
                  {shapes[status] ?? '○'}
                </span>
                <span className="min-w-0 truncate">{visible(title)}</span>
                <span className={tones[status] ?? 'text-faint'}>{status}</span>
              </li>
            );
          })}
        </ol>
      </div>
      {question === null ? null : <Dock shown={shown} question={question} />}
    </section>
  );
}
