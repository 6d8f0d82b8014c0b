import type { Config } from '../../core/contract/index.ts';
import type { JudgeWork } from '../../core/run/index.ts';
import type { SandboxPolicy } from '../process/index.ts';

/** Which steps run in a sandbox, and what of this machine is hidden from them or lent to them. */
export interface SandboxRules extends Pick<SandboxPolicy, 'home' | 'caches' | 'storeDir' | 'configDir'> {
  which: Config['sandbox'];
}

/** The sandbox that a step is to run in, with what it was granted; null: it runs outside. */
export function sandboxFor(
  rules: SandboxRules | undefined,
  { unseen, workspace, grants, loopback }: JudgeWork,
): SandboxPolicy | null {
  if (rules === undefined) return null;
  const { which, ...host } = rules;
  if (which === 'off' || (which === 'corrections' && !unseen)) return null;
  return { ...host, workspace, grants: grants ?? {}, loopback };
}
