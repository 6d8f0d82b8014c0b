import type { Action, Config, Verdict } from '../../core/contract/index.ts';
import type { AttemptWork, JudgeWork } from '../../core/run/index.ts';
import { probeSandbox, type SandboxPolicy } from '../process/index.ts';

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
 * What no person has seen runs in a sandbox, or asks: where there is none, and for what cannot run in one. File
 * actions need none: they cannot leave the workspace.
 */
export async function askWithoutSandbox(
  verdict: Verdict,
  { unseen, step }: JudgeWork,
  rules: SandboxRules | undefined,
): Promise<Verdict> {
  if (rules === undefined || rules.which === 'off' || !unseen || verdict.level !== 'caution') return verdict;
  const { kind } = bodyOf(step.action);
  if (kind !== 'run-command' && kind !== 'run-script' && kind !== 'start') return verdict;
  if (kind !== 'start' && (await probeSandbox()).works) return verdict;
  const sentence =
    kind === 'start'
      ? 'A correction made this service what it is, and a service cannot run in a sandbox.'
      : 'A correction made this command what it is, and there is no sandbox to run it in.';
  const reason = { rule: 'unseen', level: 'dangerous', sentence } as const;
  return { ...verdict, level: 'dangerous', reasons: [reason, ...verdict.reasons] };
}

const bodyOf = (action: Action): Action =>
  action.kind === 'for-each' || action.kind === 'repeat' ? action.do : action;
