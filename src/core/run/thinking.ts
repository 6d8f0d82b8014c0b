import { dueForSummary, type FactBody, NOT_SURE, type RunState } from '../contract/index.ts';
import { createLedger, type PerformContext } from '../stream/index.ts';
import { spentUp } from './ends.ts';
import { nameFailure, unanswered } from './mend.ts';
import { hopsOf, isLastHope, plannerFacts } from './planner-facts.ts';
import type { Advice, Mind } from './ports.ts';
import { timeLimit } from './time.ts';
import type { PerformOf, RunWork, WorkOf } from './work.ts';

/** What planner and brain are asked, and what their answers come to. Whatever is asked of a model is paid for here. */

export const plan: PerformOf<'plan'> = async (run, { planner }, work, context) => {
  const { signal } = context;
  const { call, n, model, state } = work;
  const { workspace, options, planning, steps } = state;
  const before = state.plan === null ? null : { plan: state.plan, steps };
  const asked = { run, call, n, model, workspace, options: options!, planning: planning!, before };
  const ledger = ledgerFor(run, state, context, isLastHope(work));
  const answer = await planner?.perform(asked, { signal, ledger });
  const facts = plannerFacts(work, answer ?? brokenCall('there is no planner here'));
  for (const hop of hopsOf(work, facts)) await ledger.fellBack(hop);
  return facts;
};

/** Where nobody is there to be asked, whatever can only be waited for is waited for: until the run's time is up. */
function ledgerFor(run: string, state: RunState, context: PerformContext<FactBody>, waits: boolean) {
  const options = state.options!;
  const { money, tokens } = options.limits;
  const patience =
    waits && options.onAsk !== 'wait' ? { patience: { until: timeLimit(state, options) } } : {};
  return createLedger({
    ...context,
    stream: run,
    spending: state.spending,
    limits: { money, tokens },
    ...patience,
  });
}

export const brokenCall = (message: string) =>
  ({ kind: 'failed', why: 'error', message, durationMs: 0 }) as const;

export const consult: PerformOf<'consult'> = async (run, { mind }, work, context) => {
  const { state, step, stepState, attemptIndex } = work;
  const result = stepState.result!;
  const nobody: Advice = { correction: null, message: 'there is no brain to ask' };
  const { signal } = context;
  const { money, tokens } = state.options!.limits;
  const ledger = ledgerFor(run, state, context, true);
  const advice =
    (await mind?.consult({ run, state, step, result, attemptIndex }, { signal, ledger })) ?? nobody;
  if (signal.aborted) return [{ type: 'agent-error', stepId: step.id, message: 'the brain was stopped' }];
  const { correction, objection, message, limit } = advice;
  if (limit !== undefined) return [spentUp(step.id, limit, ledger.spending(), { money, tokens }, message)];
  if (correction === null) return unanswered(state, stepState, message ?? NOT_SURE);
  return [
    {
      type: 'correction-attempt',
      stepId: step.id,
      attemptIndex,
      correctionId: `c${state.corrections.length + 1}`,
      correction,
      failure: nameFailure(result),
      ...(objection === undefined ? {} : { objection }),
    },
  ];
};

/**
 * The oldest of what happened is rolled up while the run goes on, where a model may be asked. Of a run that has ended nobody
 * needs it, though a service that it kept may still have to be ended.
 */
export const toSummarise = (state: RunState, mind: Mind | undefined): RunWork | null =>
  mind?.summarise !== undefined &&
  !state.ended &&
  state.options?.mode === 'agentic' &&
  dueForSummary(state.context) !== null
    ? { kind: 'summarise', state }
    : null;

export const summarise: PerformOf<'summarise'> = async (run, { mind }, { state }, performing) => {
  const { signal } = performing;
  const { context } = state;
  const ledger = ledgerFor(run, state, performing, false);
  const oldest = dueForSummary(context) ?? [];
  const text = (await mind?.summarise?.(context, oldest, { signal, ledger })) ?? null;
  // A limit or a stop says nothing of whether it can be done.
  if (text === null && (signal.aborted || ledger.limitReached() !== null)) return [];
  return [{ type: 'context-summarised', rolled: context.rolled, text }];
};

export const outcomeOf = (fact: WorkOf<'learn'>['fact']): Parameters<Mind['learn']>[1] => {
  if (fact.type === 'correction-success') return 'success';
  return fact.sameFailure ? 'same-failure' : 'other-failure';
};
