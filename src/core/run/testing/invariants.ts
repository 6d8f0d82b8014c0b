import { isKnownEvent, type Limits, type StoredEvent } from '../../contract/index.ts';

/**
 * What a journal says against the limits of its run. It counts for itself, from events alone: neither the state nor
 * the machine is believed.
 */
export function brokenLimits(events: readonly StoredEvent[]): string[] {
  const broken = new Set<string>();
  const strikes = new Map<string, number>();
  const repairs = new Map<string, string>();
  const tried = new Set<string>();
  let limits: Limits | null = null;
  const refusals = new Map<string, number>();
  const asked = new Map<string, string>();
  let corrections = 0;
  let hints = 0;
  let added = 0;
  let usd = 0;
  let tokens = 0;
  let since: number | null = null;
  let warned = false;
  let revisedBy: string | null = null;
  const objectedTo = new Set<string>();
  const rootOf = (id: string): string => (repairs.has(id) ? rootOf(repairs.get(id)!) : id);
  for (const { event } of events) {
    if (!isKnownEvent(event)) continue;
    if (event.type === 'plan-created') limits = event.options.limits;
    if (limits === null) continue;
    if (event.type === 'plan-confirmed') since = event.at;
    if (event.type === 'step-started') {
      const failed = strikes.get(rootOf(event.stepId)) ?? 0;
      if (failed > limits.retriesPerStep) broken.add('retries-per-step');
    }
    if (event.type === 'step-started' || event.type === 'agent-thinking') {
      if (limits.wallMs !== null && since !== null && event.at - since >= limits.wallMs)
        broken.add('wall-time');
    }
    if (event.type === 'step-failed' && event.result.why === 'exit-code') {
      const root = rootOf(event.stepId);
      strikes.set(root, (strikes.get(root) ?? 0) + 1);
    }
    if (event.type === 'hint-given') {
      hints += 1;
      strikes.set(rootOf(event.stepId), 0);
      refusals.set(event.stepId, 0);
    }
    if (event.type === 'agent-thinking' && (refusals.get(event.stepId) ?? 0) >= limits.retriesPerStep)
      broken.add('refused-corrections');
    if (event.type === 'correction-refused' && event.code !== 'denied') {
      // What was refused has changed nothing, and takes nothing from other steps.
      corrections -= 1;
      const stepId = asked.get(event.correctionId) ?? '';
      refusals.set(stepId, (refusals.get(stepId) ?? 0) + 1);
    }
    if (event.type === 'budget-warning' && event.limit === 'corrections') warned = true;
    if (event.type === 'correction-attempt') {
      corrections += 1;
      asked.set(event.correctionId, event.stepId);
      const max = limits.corrections + hints;
      if (corrections > max) broken.add('corrections');
      if (max - corrections + 1 <= max * 0.3 && !warned) broken.add('budget-warning');
      warned = false;
      if (event.objection !== undefined) objectedTo.add(event.correctionId);
      const { action, modifiedCommand = '', newSteps = [], delayMs } = event.correction;
      const same = JSON.stringify([event.stepId, event.failure, action, modifiedCommand, newSteps]);
      if (delayMs === undefined && tried.has(same)) revisedBy = event.correctionId;
      tried.add(same);
    }
    if (event.type === 'plan-revised' || event.type === 'retry-attempt') {
      if (event.correctionId !== undefined && event.correctionId === revisedBy) broken.add('no-progress');
      if (objectedTo.has(event.correctionId ?? '')) broken.add('purpose');
    }
    if (event.type === 'plan-revised' && event.correctionId !== undefined) {
      const inserted = event.patch.flatMap((change) => (change.op === 'insert' ? change.steps : []));
      for (const step of inserted) if (step.repairs !== undefined) repairs.set(step.id, step.repairs);
      added += inserted.length;
      if (inserted.length > limits.addedStepsPerCorrection) broken.add('added-steps-per-correction');
      if (added > limits.addedSteps) broken.add('added-steps');
    }
    if (event.type === 'model-call-started') {
      const { usd: dollars, tokens: worst } = event.reserved;
      if (dollars === null) tokens += worst;
      else usd += dollars;
      if (usd > limits.money) broken.add('money');
      if (tokens > limits.tokens) broken.add('tokens');
    }
  }
  return [...broken];
}
