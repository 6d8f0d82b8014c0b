import { itemAt } from '../blocks.ts';
import { evolveChat } from '../chat/evolve.ts';
import type { ChatEvent, ChatEventOf, ToolCall, TurnOutcome } from '../chat/facts.ts';
import {
  type ChatState,
  type CorrectionAttempts,
  callOf,
  correctionAttemptsOf,
  initialChatState,
} from '../chat/state.ts';
import type { RunEvent } from '../events.ts';
import type { PlanPatch } from '../plan.ts';
import { type ProposedPlan, proposedPlan } from '../proposed.ts';
import type { StepResult } from '../result.ts';
import { type WholePlan, wholePlan } from '../run/whole-plan.ts';
import type { SelfCorrect } from '../tools.ts';
import type { RiskLevel } from '../verdict.ts';
import type { Client } from './client.ts';

/** What a conversation does, under the names of the seed. */
export type ConversationEvent =
  | { type: 'content'; content: string }
  | { type: 'tool_call'; call: ToolCall }
  | {
      type: 'tool_result';
      callId: string;
      success: boolean;
      /** Begins with SELF_CORRECT_ATTEMPT where another tool could do better; `metadata` says which. */
      error?: string;
      metadata?: SelfCorrect;
      result: StepResult;
    }
  | { type: 'approval_needed'; approvalId: string; callId: string; level: RiskLevel }
  | { type: 'question'; callId: string; question: string }
  | { type: 'plan_generated' | 'plan_confirmed' | 'plan_rejected'; run: string }
  | { type: 'plan'; plan: WholePlan }
  | { type: 'plan_step_started' | 'plan_step_completed' | 'plan_step_failed'; run: string; stepId: string }
  | { type: 'plan_results'; results: StepExecutionResult[]; run: string; message: string }
  | { type: 'correction_attempt'; n: number; tool: string; error: string; fallbackTools: string[] }
  | { type: 'correction_success' | 'correction_failed' }
  | { type: 'done'; outcome: TurnOutcome; message?: string | undefined };

export interface StepExecutionResult {
  stepId: string;
  title: string;
  status: string;
  error?: string | undefined;
}

export interface ConversationOptions {
  /**
   * Asked where a plan waits for agreement: true runs it, false does not, and changes to it are made and asked about again.
   * Left out, it waits for somebody else.
   */
  presentPlanForApproval?(plan: WholePlan, proposed: ProposedPlan): Promise<boolean | PlanPatch>;
  signal?: AbortSignal;
}

/** A conversation over HTTP, under the names of the seed. Rejects with an ApiError. */
export function createConversation(client: Client, chat: string, options: ConversationOptions = {}) {
  const { presentPlanForApproval, signal = new AbortController().signal } = options;

  /** What somebody says about the plan of a run as it is now; changes are sent. Null where nobody is there to ask. */
  async function present(run: string): Promise<{ plan: WholePlan; decided: boolean | 'changed' } | null> {
    const { state } = await client.getRun(run);
    if (presentPlanForApproval === undefined || state.status !== 'agreeing') return null;
    const { steps } = await client.previewRun(run);
    const plan = wholePlan(run, state)!;
    const decided = await presentPlanForApproval(plan, proposedPlan(state, steps)!);
    if (typeof decided === 'boolean') return { plan, decided };
    const reason = 'edited by a person';
    const baseRevision = plan.revision;
    await client.request(run, { type: 'edit-requested', baseRevision, patch: decided, reason });
    return { plan, decided: 'changed' };
  }
  const isNewPlan = ({ type }: { type: string }, wasChanged: boolean) =>
    type === 'plan-created' || (wasChanged && (type === 'plan-revised' || type === 'request-refused'));

  /** Watches a run until it ends, agreeing on its plan where somebody is there to. */
  async function* watchPlan(run: string): AsyncGenerator<ConversationEvent> {
    let wasChanged = false;
    for await (const { event } of client.planEvents(run, { signal })) {
      if (event.type === 'plan-created') {
        const { plan } = event as Extract<RunEvent, { type: 'plan-created' }> & { plan: WholePlan };
        yield { type: 'plan_generated', run };
        yield { type: 'plan', plan };
      }
      if (isNewPlan(event, wasChanged)) {
        const said = await present(run);
        wasChanged = said?.decided === 'changed';
        if (said !== null && !wasChanged) {
          const decision = said.decided ? 'all' : 'cancel';
          await client.request(run, { type: 'plan-decided', revision: said.plan.revision, decision });
        }
      }
      if (event.type === 'plan-confirmed') yield { type: 'plan_confirmed', run };
      if (event.type === 'plan-rejected') yield { type: 'plan_rejected', run };
      const name = stepNames[event.type];
      if (name !== undefined && 'stepId' in event && event.stepId !== undefined)
        yield { type: name, run, stepId: event.stepId };
      if (event.type === 'run-finished') return;
    }
  }

  /** Sends a message and tells everything that comes of it, until it is answered or waits for a person. */
  async function* processUserMessageStream(
    text: string,
    plan?: 'always' | 'never',
  ): AsyncGenerator<ConversationEvent> {
    const request = { type: 'message-sent', text, ...(plan === undefined ? {} : { plan }) };
    const { seq } = await client.askOfStream(chat, { request });
    let state: ChatState = initialChatState;
    for await (const numbered of client.watchStream(chat, { signal })) {
      const event = numbered.event as unknown as ChatEvent;
      state = evolveChat(state, { seq: numbered.seq, event });
      if (numbered.seq <= seq) continue;
      if (event.type === 'child-begun') yield* watchPlan(event.child);
      yield* told(event, state);
      if (event.type === 'turn-ended') return;
      if (event.type === 'request-refused' && event.answers === seq) return;
    }
  }

  /** Has a plan made for a goal and asks whether to run it; null where it is declined, or none could be made. */
  async function generateAndConfirmPlan(goal: string): Promise<WholePlan | null> {
    const { id } = await client.createRun({ source: { goal } });
    let wasChanged = false;
    for await (const { event } of client.planEvents(id, { signal })) {
      if (event.type === 'planning-failed' || event.type === 'run-finished') return null;
      if (!isNewPlan(event, wasChanged)) continue;
      const said = await present(id);
      wasChanged = said?.decided === 'changed';
      if (wasChanged) continue;
      if (said?.decided === true) return said.plan;
      const revision = said?.plan.revision ?? 0;
      await client.request(id, { type: 'plan-decided', revision, decision: 'cancel' });
      return null;
    }
    return null;
  }

  /** Runs a plan that was agreed on, and says what came of each step. */
  async function executePlanSteps(plan: Pick<WholePlan, 'id'>): Promise<StepExecutionResult[]> {
    await client.executePlan(plan.id);
    for await (const { event } of client.watchRun(plan.id, { signal }))
      if (event.type === 'run-finished' || event.type === 'run-paused') break;
    const { state } = await client.getRun(plan.id);
    return (state.plan?.steps ?? []).map(({ id: stepId, title }, at) => {
      const { status = 'pending', result } = itemAt(state.steps, at) ?? {};
      return { stepId, title, status, ...(result?.message === undefined ? {} : { error: result.message }) };
    });
  }

  /** What was tried in another way, by the hash of the request. */
  async function correctionAttempts(): Promise<Map<string, CorrectionAttempts>> {
    const { state } = await client.getStream(chat);
    return correctionAttemptsOf(state as unknown as ChatState);
  }

  return { processUserMessageStream, generateAndConfirmPlan, executePlanSteps, correctionAttempts };
}

const stepNames: Partial<Record<string, 'plan_step_started' | 'plan_step_completed' | 'plan_step_failed'>> = {
  'step-started': 'plan_step_started',
  'step-completed': 'plan_step_completed',
  'step-failed': 'plan_step_failed',
};

function toolResult({ callId, result }: ChatEventOf<'call-finished'>): ConversationEvent {
  const { why, message, selfCorrect } = result;
  return {
    ...{ type: 'tool_result', callId, success: why === undefined, result },
    ...(why === undefined ? {} : { error: message ?? why }),
    ...(selfCorrect === undefined ? {} : { metadata: selfCorrect }),
  };
}

function* told(event: ChatEvent, state: ChatState): Generator<ConversationEvent> {
  switch (event.type) {
    case 'model-answered':
      if (event.text !== '') yield { type: 'content', content: event.text };
      break;
    case 'calls-started':
      for (const id of event.callIds) {
        const call = callOf(state, id);
        if (call !== undefined)
          yield { type: 'tool_call', call: { id, wire: call.wire, tool: call.tool, args: call.args } };
      }
      break;
    case 'call-finished':
      yield toolResult(event);
      break;
    case 'approval-needed': {
      const { approvalId, callId, verdict } = event;
      yield { type: 'approval_needed', approvalId, callId, level: verdict.level };
      break;
    }
    case 'question-asked':
      yield { type: 'question', callId: event.callId, question: event.question };
      break;
    case 'correction-attempt': {
      const { originalTool: tool, originalError: error, fallbackTools } = event.signal;
      yield { type: 'correction_attempt', n: event.n, tool, error, fallbackTools };
      break;
    }
    case 'correction-success':
      yield { type: 'correction_success' };
      break;
    case 'correction-failed':
      yield { type: 'correction_failed' };
      break;
    case 'plan-results': {
      const { run, message } = event;
      const results = event.steps.map(({ message: error, ...step }) => ({ ...step, error }));
      yield { type: 'plan_results', results, run, message };
      break;
    }
    case 'turn-ended':
      yield { type: 'done', outcome: event.outcome, message: event.message };
      break;
    default:
  }
}
