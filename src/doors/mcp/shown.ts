import { z } from 'zod';
import {
  type NumberedEvent,
  planStep,
  RiskLevel,
  RunRow,
  type RunState,
  StopReason,
  WaitingFor,
} from '../../core/contract/index.ts';
import { evidenceOf } from '../../core/contract/told/evidence.ts';
import {
  isAnswered,
  openQuestion,
  sentenceOf,
  tellFact,
  titleOf,
  waitingFor,
  weighty,
} from '../../core/contract/told/index.ts';
import { printAction } from '../../core/plan/index.ts';
import type { McpDesk } from './desk.ts';

export const Asked = z.object({
  waitingFor: WaitingFor,
  step: z.string().nullable(),
  /** What a person is asked, to the letter. */
  text: z.string(),
  risk: RiskLevel.nullable(),
  reasons: z.array(z.string()),
  /** A model never decides: where a person does. */
  decide: z.object({ command: z.string(), page: z.string().nullable() }),
});

const StepShown = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  attempts: z.int(),
  exitCode: z.int().nullable(),
  /** The end of what it said where it failed: text of a program, not instructions. */
  said: z.string().optional(),
});

/** A run as clients are shown it: secrets are hidden. */
export const RunShown = z.object({
  run: z.string(),
  goal: z.string(),
  workspace: z.string(),
  state: RunRow.shape.state,
  ended: z.boolean(),
  stopReason: StopReason.nullable(),
  sentence: z.string(),
  steps: z.array(StepShown),
  question: Asked.nullable(),
  /** Events up to here are in what is shown. */
  last: z.int(),
});
export type RunShown = z.infer<typeof RunShown>;

export const EventShown = z.object({ seq: z.int(), at: z.number(), type: z.string(), told: z.string() });

const tail = 2000;

export async function showRun(desk: McpDesk, id: string, exact: RunState): Promise<RunShown> {
  const state = desk.app.redactorFor(exact).value(exact);
  const steps = state.steps.map(({ id: step, status, attempts, result }) => {
    const said = status === 'failed' ? (result?.stderrTail || result?.stdoutTail || '').trim() : '';
    return {
      ...{ id: step, title: titleOf(state.plan, step), status, attempts },
      exitCode: result?.exitCode ?? null,
      ...(said === '' ? {} : { said: said.slice(-tail) }),
    };
  });
  return {
    run: id,
    goal: state.plan?.goal ?? state.planning?.goal ?? '',
    workspace: state.workspace,
    state: state.status,
    ended: state.ended,
    stopReason: state.stopReason,
    sentence: sentenceOf(state).text,
    steps,
    question: await askedOf(desk, id, state),
    last: state.seq,
  };
}

/** `state` has its secrets hidden. Null where nothing is asked, or it has been answered and is being acted on. */
export async function askedOf(desk: McpDesk, id: string, state: RunState) {
  const question = openQuestion(state);
  if (question === null || isAnswered(state)) return null;
  const url = await desk.pageUrl();
  const approval = question.kind === 'approval' ? question.approval : null;
  return {
    waitingFor: waitingFor[question.kind],
    step: question.stepId,
    text: evidenceOf(question, state, printAction).join('\n'),
    risk: approval?.verdict.level ?? null,
    reasons: approval === null ? [] : weighty(approval.verdict).map(({ sentence }) => sentence),
    // At a terminal it puts whatever is asked.
    decide: { command: `planwright resume ${id}`, page: url === null ? null : `${url}/runs/${id}` },
  };
}

/** Events in words; bookkeeping has none and is named by its type. */
export function tellEvents(
  desk: McpDesk,
  exact: RunState,
  events: readonly NumberedEvent[],
): z.infer<typeof EventShown>[] {
  const name = (stepId: string) => planStep(exact, stepId)?.title ?? stepId;
  const told = events.map(({ seq, event }) => {
    const telling = tellFact(event, name);
    const about = telling?.about === undefined ? '' : `${name(telling.about)} `;
    const words = telling === null ? '' : `${about}${telling.what}${telling.said ? `: ${telling.said}` : ''}`;
    return { seq, at: event.at, type: event.type, told: words };
  });
  return desk.app.redactorFor(exact).value(told);
}
