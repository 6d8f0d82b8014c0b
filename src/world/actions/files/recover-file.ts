import type { FileChange } from '../../../core/contract/index.ts';
import type { Recovered } from '../../../core/run/index.ts';
import { ConfinementError, locate } from '../../workspace/index.ts';
import { checkExpectation, isCheckableAnytime, lookingFrom } from '../expectations/check.ts';
import { foundDone } from '../results.ts';
import type { Lost } from '../tools.ts';
import { temporaryName } from './attempt-file.ts';
import { stateAt } from './file-state.ts';
import { removeTree } from './tree.ts';

/**
 * How far a file action came whose driver is gone, told by one look at what it had prepared. What lies about under
 * its temporary name is removed.
 *
 *   nothing prepared ──▶ not-started │ every path as before ──▶ not-started
 *   every path as it was to become ──▶ done │ anything else ──▶ unknown, but where doing it again is no harm
 */
export async function recoverFile(
  /** Doing it again is no harm. */
  repeatable: boolean,
  lost: Lost,
): Promise<Recovered> {
  const { work } = lost;
  const { prepared, workspace } = work;
  if (prepared === null || prepared.length === 0)
    return { finding: 'not-started', detail: 'its driver ended before it changed anything' };
  const temporary = temporaryName(work.run, work.step.id, work.attemptIndex);
  const looks = [];
  for (const change of prepared)
    looks.push({ change, now: await stateNow(workspace, change.path, temporary) });
  if (looks.every(({ change, now }) => now === change.after)) return done(lost);
  if (looks.every(({ change, now }) => now === change.before))
    return { finding: 'not-started', detail: 'nothing has been changed' };
  const strange = looks.find(({ change, now }) => now !== change.before && now !== change.after);
  if (strange === undefined && repeatable)
    return { finding: 'not-started', detail: 'it was half done, and doing it again is no harm' };
  const detail =
    strange === undefined
      ? `it was half done: ${looks.map(describe).join(', ')}`
      : `${strange.change.path} is neither as it was before nor as it was to become`;
  return { finding: 'unknown', detail };
}

const describe = ({ change, now }: { change: FileChange; now: string }): string =>
  `${change.path} is ${now === change.after ? 'changed' : 'as it was'}`;

async function stateNow(workspace: string, path: string, temporary: string): Promise<string> {
  try {
    const place = locate({ workspace, cwd: workspace }, path, { follow: false });
    try {
      await removeTree({ folder: place.folder, name: temporary }).catch(() => {});
      return await stateAt(place.here(), path);
    } finally {
      place.close();
    }
  } catch (error) {
    if (error instanceof ConfinementError && error.code === 'missing') return 'absent';
    throw error;
  }
}

async function done({ expectation, work, tools }: Lost): Promise<Recovered> {
  const made = { held: true, sentence: 'what it was to change is changed' };
  if (!expectation || !isCheckableAnytime(expectation))
    return { finding: 'done', result: { ...foundDone(made), expectation: null } };
  const seen = await checkExpectation(expectation, lookingFrom(work, tools.baseEnv));
  return seen.held
    ? { finding: 'done', result: foundDone(seen) }
    : { finding: 'unknown', detail: `${made.sentence}; ${seen.sentence}` };
}
