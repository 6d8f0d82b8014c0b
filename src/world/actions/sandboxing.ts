import { type Config, innermost, type Verdict } from '../../core/contract/index.ts';
import type { AttemptWork, JudgeWork } from '../../core/run/index.ts';
import { probeSandbox, type SandboxPolicy } from '../process/index.ts';
import { performanceOf } from './performances.ts';

/** Which steps run in a sandbox, and what of this machine is hidden from them or lent to them. */
export interface SandboxRules extends Pick<SandboxPolicy, 'home' | 'caches' | 'storeDir'> {
  which: Config['sandbox'];
}

/** The sandbox that a step is to run in, with what it was granted; null: it runs outside. */
export function sandboxFor(
  rules: SandboxRules | undefined,
  { unseen, workspace, grants }: AttemptWork,
): SandboxPolicy | null {
  if (rules === undefined) return null;
  const { which, ...host } = rules;
  if (which === 'off' || (which === 'corrections' && !unseen)) return null;
  const { network, write, privilege } = grants ?? {};
  const given = {
    ...(network === undefined ? {} : { network }),
    ...(write === undefined ? {} : { write }),
    ...(privilege === undefined ? {} : { privilege }),
  };
  return { ...host, workspace, grants: given };
}

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
