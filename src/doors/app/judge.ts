import type { VerdictPort } from '../../world/actions/index.ts';
import { startedHere } from './asker.ts';
import { type JudgeWithOptions, judgeWith } from './judge-with.ts';
import { loadRules } from './rules.ts';

export interface JudgeOptions extends JudgeWithOptions {
  /** Rules for this process alone. */
  rulesFile?: string | undefined;
}

/**
 * Judges every action of every run, whoever wrote it: as written, as it would be in its place now, and by the rules
 * of people. The rules are read once: a run does not change its mind half-way through a loop.
 */
export function createJudge({ rulesFile, ...options }: JudgeOptions): VerdictPort {
  const { places, workspace } = options;
  // What a run started brings no permission of its own along.
  const brings = startedHere(places.data) === null;
  const rules = loadRules({ places, workspace, file: rulesFile }).filter(
    ({ effect, origin }) => brings || effect !== 'allow' || origin !== 'flags',
  );
  return judgeWith(rules, options);
}
