import { homedir } from 'node:os';
import { judgeAction } from '../../core/risk/index.ts';
import type { VerdictPort } from '../../world/actions/index.ts';
import type { Env, Places } from './places.ts';
import { isTrusted } from './trust.ts';

/** Judges every action of every run, whoever wrote it. */
export function createJudge({ places, env }: { places: Places; env: Env }): VerdictPort {
  const home = env['HOME'] || homedir();
  return (action, { session, workspace, shell }) =>
    judgeAction(action, {
      cwd: session.cwd,
      home,
      workspace,
      storeDir: places.data,
      shell,
      trusted: isTrusted(places.trust, workspace),
    });
}
