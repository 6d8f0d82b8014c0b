import type { FailureWhy, Mode, RiskLevel, StepResult, StopReason } from '@contract';

/** Risk is a shape and a word, so that it can be told without colour. */
export const riskShape: Record<RiskLevel, string> = { safe: '○', caution: '◐', dangerous: '▲', blocked: '■' };
export const riskLevels: readonly RiskLevel[] = ['safe', 'caution', 'dangerous', 'blocked'];

export const modeName: Record<Mode, string> = { teacher: 'Teacher', planner: 'Planner', agentic: 'Agentic' };
export const modeMeaning: Record<Mode, string> = {
  teacher: 'You run each step; every step is explained',
  planner: 'Runs in order and stops at the first failure',
  agentic: 'A step that fails is mended, and the run goes on',
};

export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const why: Record<FailureWhy, string> = {
  'exit-code': 'failed',
  signal: 'ended by a signal',
  timeout: 'took too long',
  aborted: 'stopped',
  expectation: 'not what was expected',
  'not-started': 'did not start',
  precheck: 'it would have failed',
  blocked: 'blocked',
  denied: 'denied',
  'no-terminal': 'needs a terminal',
  'sandbox-denied': 'refused by the sandbox',
  unsupported: 'not supported',
  internal: 'internal error',
};

/** `failed, exit 17`. */
export function failureWords(result: StepResult | null): string {
  if (result === null) return 'failed';
  const word = result.why === undefined ? 'failed' : (why[result.why] ?? result.why);
  if (result.why === 'exit-code' && result.exitCode !== null) return `failed, exit ${result.exitCode}`;
  if (result.why === 'signal' && result.signal !== null) return `ended by ${result.signal}`;
  return word;
}

const stops: Partial<Record<StopReason, string>> = {
  completed: 'completed',
  'step-failed': 'a step failed',
  cancelled: 'cancelled',
  'plan-rejected': 'the plan was declined',
  paused: 'paused',
  'approval-needed': 'an approval is needed',
  'approval-denied': 'an approval was denied',
  'decision-needed': 'a decision is needed',
  'interrupted-unknown': 'a step was interrupted',
  'limit-time': 'the time limit was reached',
  'agent-error': 'the brain knows no way',
  'agent-stuck': 'the brain is stuck',
  'agent-aborted': 'the brain advised against going on',
};
/** Reasons that this version does not know are shown as they are. */
export const stopWords = (reason: string): string =>
  (stops as Record<string, string>)[reason] ?? reason.replaceAll('-', ' ');
