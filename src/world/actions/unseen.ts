import { innermost, type Verdict } from '../../core/contract/index.ts';
import type { JudgeWork } from '../../core/run/index.ts';
import { probeSandbox } from '../process/index.ts';
import { performanceOf } from './performances.ts';
import type { SandboxRules } from './sandboxing.ts';

/**
 * What no person has seen runs in a sandbox, or asks: where there is none, and for what cannot run in one. What
 * cannot leave the workspace needs none.
 */
export async function askWithoutSandbox(
  verdict: Verdict,
  { unseen, step }: JudgeWork,
  rules: SandboxRules | undefined,
): Promise<Verdict> {
  if (rules === undefined || rules.which === 'off' || !unseen || verdict.level !== 'caution') return verdict;
  const { heldBy } = performanceOf(innermost(step.action));
  if (heldBy === 'itself' || (heldBy === 'sandbox' && (await probeSandbox()).works)) return verdict;
  const why = heldBy === 'sandbox' ? 'there is no sandbox to run it in' : 'it cannot run in a sandbox';
  const sentence = `A correction made this step what it is, and ${why}.`;
  const reason = { rule: 'unseen', level: 'dangerous', sentence } as const;
  return { ...verdict, level: 'dangerous', reasons: [reason, ...verdict.reasons] };
}
