import {
  parkedApproval,
  type RequestBody,
  type RequestEvent,
  type RunState,
  type Step,
} from '../../src/core/contract/index.ts';
import { randomPlan, randomStep } from './plans.ts';
import type { Random } from './random.ts';

/** Something that anybody might ask of the run, at any time, sensible or not. */
export function anyRequest(random: Random, state: RunState, now: number): RequestBody {
  const ids = state.steps.map((step) => step.id);
  const stepId = ids.length > 0 && random.chance(0.95) ? random.pick(ids) : 'nowhere';
  const running = state.services.filter(({ status }) => status === 'running');
  if (running.length > 0 && random.chance(0.3)) {
    const { name } = random.pick(running);
    return { type: 'service-stop-requested', ...(random.chance(0.5) ? { name } : {}) };
  }
  const serving = state.inFlight?.stepId;
  if (serving !== undefined && random.chance(0.05))
    return { type: 'serve-requested', stepId: serving, port: 8080 };
  switch (random.int(17)) {
    case 0:
      return { type: 'cancel-requested' };
    case 1:
    case 2:
      return random.chance(0.5)
        ? { type: 'pause-requested', until: now + random.int(100_000) - 1000 }
        : { type: 'pause-requested', ...(random.chance(0.3) ? { graceMs: random.int(5000) } : {}) };
    case 3:
      return resume(random, state);
    case 4:
      return { type: 'mode-requested', mode: random.pick(['teacher', 'planner', 'agentic']) };
    case 5:
    case 6:
      return edit(random, state, stepId);
    case 7:
      return { type: 'skip-requested', stepId };
    case 8:
      return { type: 'retry-requested', stepId };
    case 9:
      return { type: 'approval-decided', approvalId: `${stepId}.${1 + random.int(3)}`, decision: 'deny' };
    case 10:
      return { type: 'answer-given', ...(random.chance(0.8) ? { stepId } : {}), value: 'x' };
    case 11:
      return { type: 'replan-requested', stepId, reason: 'not like this' };
    case 12:
      return { type: 'plan-given', plan: randomPlan(random).plan };
    case 13:
      return { type: 'hint-requested', stepId, text: 'look again' };
    case 14:
      return { type: 'service-stop-requested', name: 'nowhere' };
    case 15:
      return { type: 'serve-requested', stepId, port: 8080 };
    default:
      return { type: 'step-decided', stepId, decision: random.pick(['run', 'skip', 'did-it', 'stop']) };
  }
}

const resume = (random: Random, { options }: RunState): RequestBody => ({
  type: 'resume-requested',
  ...(options?.checkpoints !== undefined && random.chance(0.1)
    ? { checkpoints: random.pick(['auto', 'required', 'off'] as const) }
    : {}),
  ...(random.chance(0.3) ? { onAsk: random.pick(['wait', 'fail', 'deny'] as const) } : {}),
  ...(random.chance(0.3) ? { onInterrupt: random.pick(['ask', 'rerun', 'skip', 'stop'] as const) } : {}),
  ...(random.chance(0.3) ? { limits: { wallMs: 50_000 } } : {}),
  ...(random.chance(0.2) ? { limits: { retriesPerStep: random.int(6), corrections: random.int(20) } } : {}),
});

function edit(random: Random, state: RunState, stepId: string): RequestBody {
  const revision = state.plan?.revision ?? 0;
  const known = state.plan?.steps ?? [];
  const fresh = (id: string): Step => randomStep(random, id, []);
  const change = random.int(3);
  return {
    type: 'edit-requested',
    baseRevision: random.chance(0.9) ? revision : revision + 1,
    reason: 'because',
    patch: [
      change === 0
        ? {
            op: 'insert',
            before: random.chance(0.5) ? stepId : null,
            steps: [fresh(`n${known.length}x${random.int(100)}`)],
          }
        : change === 1
          ? { op: 'replace', stepId, step: fresh(stepId) }
          : { op: 'remove', stepId },
    ],
  };
}

/** What a willing person answers to what the run waits for; null where it waits for nothing. */
export function helpfulRequest(random: Random, state: RunState): RequestBody | null {
  if (state.planning?.question != null && state.status === 'waiting') {
    return { type: 'answer-given', value: `answer ${random.int(9)}` };
  }
  if (state.planning?.failed && state.plan === null && random.chance(0.5)) {
    return { type: 'plan-given', plan: randomPlan(random).plan };
  }
  if (state.status === 'planning') return null;
  const pending = state.steps.find((step) => step.status === 'pending');
  if (state.planning !== null && pending !== undefined && random.chance(0.1)) {
    return { type: 'replan-requested', stepId: pending.id, reason: 'another way, please' };
  }
  if (state.status === 'agreeing') {
    const decision = random.pick(['all', 'all', 'all', 'step-by-step', 'cancel'] as const);
    return { type: 'plan-decided', revision: state.plan!.revision, decision };
  }
  const approval = state.approvals.find((candidate) => candidate.status === 'needed');
  if (approval !== undefined) {
    const decision = random.pick(['approve', 'approve', 'approve', 'deny', 'abort'] as const);
    return { type: 'approval-decided', approvalId: approval.id, decision };
  }
  const parked = parkedApproval(state);
  if (parked !== null && random.chance(0.5)) {
    const decision = random.pick(['approve', 'approve', 'deny', 'abort'] as const);
    return { type: 'approval-decided', approvalId: parked.id, decision };
  }
  const offered = state.steps.find((step) => step.offered);
  if (offered !== undefined) {
    const decision = random.pick(['run', 'run', 'run', 'run', 'skip', 'did-it', 'stop'] as const);
    return { type: 'step-decided', stepId: offered.id, decision };
  }
  const asked = state.steps.find((step) => step.asked);
  if (asked !== undefined) {
    return random.chance(0.9)
      ? { type: 'answer-given', stepId: asked.id, value: `answer ${random.int(9)}` }
      : { type: 'skip-requested', stepId: asked.id };
  }
  if (state.interrupted !== null) {
    const { stepId, attemptIndex } = state.interrupted;
    const decision = random.pick(['rerun', 'skip', 'done', 'stop'] as const);
    return { type: 'interrupt-decided', stepId, attemptIndex, decision };
  }
  if (state.status === 'paused' || state.status === 'failed') {
    const failed = state.steps.find((step) => step.status === 'failed');
    if (failed !== undefined && random.chance(0.4)) {
      const stepId = failed.id;
      if (state.options?.mode === 'agentic' && random.chance(0.4))
        return { type: 'hint-requested', stepId, text: 'try harder' };
      return { type: random.pick(['skip-requested', 'retry-requested'] as const), stepId };
    }
    return resume(random, state);
  }
  return null;
}

export const asEvent = (body: RequestBody, at: number, key: string): RequestEvent =>
  ({ v: 1, at, key, by: { person: 'sim', door: 'library' }, ...body }) as RequestEvent;
