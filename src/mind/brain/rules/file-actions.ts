import { type Correction, isLoop, PATH_USES, pathsOf } from '../../../core/contract/index.ts';
import { printAction } from '../../../core/plan/index.ts';
import type { Failure } from '../brain.ts';
import type { Probe } from '../probe/probe.ts';

const placeholder = /\{\w/;

/** A file action whose folder is not there: it is made first. The other rules are about commands. */
export async function missingFolder(failure: Failure, probe: Probe): Promise<Correction | null> {
  const { action } = failure.step;
  if (isLoop(action) || failure.result.why !== 'not-started') return null;
  for (const { path, use } of pathsOf(action)) {
    const folder = path.replace(/\/*[^/]+\/*$/, '');
    if (!PATH_USES[use].produced || folder === '' || placeholder.test(folder)) continue;
    if ((await probe.kind(folder)) !== 'absent') continue;
    const step = { step: `Make ${folder}`, action: printAction({ kind: 'create-dir', path: folder }) };
    return {
      action: 'insert_steps',
      newSteps: [step],
      reasoning: `The folder ${folder} is not there; it is made first.`,
      confidence: 0.95,
      source: { brain: 'rule', name: 'missing-folder' },
    };
  }
  return null;
}
