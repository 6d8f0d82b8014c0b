import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Grants, innermost, shellText, type Verdict } from '../../core/contract/index.ts';
import type { JudgeWork } from '../../core/run/index.ts';
import { movesShell, readCommand } from '../../core/shell/index.ts';
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

/**
 * What it would lack in its sandbox, where that is known before it is tried: a registry cannot be asked without a network,
 * and programs that ask one try for minutes. Null where it lacks nothing, or runs in none.
 */
export async function lacksInSandbox(
  verdict: Verdict,
  { unseen, step, grants, session }: JudgeWork,
  rules: SandboxRules | undefined,
): Promise<Grants | null> {
  const isNear = verdict.fetches === 'listed' && foldersOf(step, session.cwd).every(listsWhatIsNear);
  const isGiven = verdict.fetches === undefined || grants?.network === true;
  if (isGiven || isNear || rules === undefined || rules.which === 'off') return null;
  if (rules.which === 'corrections' && !unseen) return null;
  const { heldBy } = performanceOf(innermost(step.action));
  return heldBy === 'sandbox' && (await probeSandbox()).works ? { ...grants, network: true } : null;
}

/** Where its commands work, those that only go there left out; where nobody can say, where it begins. */
function foldersOf({ action }: JudgeWork['step'], cwd: string): string[] {
  const { simples } = readCommand(shellText(innermost(action)) ?? '');
  const folders = simples.filter(({ program }) => !movesShell(program)).map(({ folder }) => folder);
  return folders.length === 0 ? [cwd] : [...new Set(folders.map((folder) => join(cwd, folder ?? '.')))];
}

const near = /^(?:file:|link:|workspace:|portal:|\.{1,2}\/|\/)/;

/** Whether all that the package.json there lists is on this machine. False where there is none to read. */
function listsWhatIsNear(folder: string): boolean {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const specs = [dependencies, devDependencies, optionalDependencies].flatMap((group) =>
      Object.values(group ?? {}),
    );
    return specs.every((spec) => near.test(String(spec)));
  } catch {
    return false;
  }
}
