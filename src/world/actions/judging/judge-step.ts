import { isAbsolute } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  isLoop,
  type LoopAction,
  type SimpleAction,
  type SingleAction,
  type Subject,
  toolParts,
  type Verdict,
} from '../../../core/contract/index.ts';
import type { JudgeWork } from '../../../core/run/index.ts';
import { resolveFiles } from '../files/resolve.ts';
import type { VerdictPort } from '../ports.ts';
import { sentenceOf } from '../results.ts';
import { boundDefinitions, judgeInView } from './definitions.ts';
import { countOf, fill, fillEnv, fillItem } from './expand.ts';
import { realDirectory, realPath } from './paths.ts';
import { hashLoop, sumUp } from './sum-up.ts';

/** After so many items others get their turn: the claim is renewed, a cancel is heard. */
const ITEMS_AT_ONCE = 100;

export interface JudgedStep {
  verdict: Verdict;
  subject: Subject;
  /** All paths, of a loop too: the subject shows the first few. */
  paths: readonly string[];
  /** Whether it would be judged the same now, of the same work. Left out where only judging says so. */
  isStill?: () => boolean;
}

/** Judges with all values in place, and says exactly what was judged. Never throws. */
export async function judgeStep(
  port: VerdictPort,
  work: JudgeWork,
  signal: AbortSignal,
): Promise<JudgedStep> {
  const { run, revision, step } = work;
  const cwd = realDirectory(work.session.cwd);
  const filled = fill(work);
  const action = filled.ok ? filled.action : step.action;
  const base = {
    run,
    stepId: step.id,
    revision,
    action,
    cwd,
    ...fillEnv(work, null),
    ...boundDefinitions(work, action),
    ...(work.grants === null ? {} : { grants: work.grants }),
  };
  if (!filled.ok) {
    const verdict = refusal('blocked', 'value-refused', filled.sentence);
    return { verdict, subject: { ...base, paths: [] }, paths: [] };
  }
  if (isLoop(step.action)) {
    const { verdict, paths } = await judgeLoop(port, work, step.action, cwd, signal);
    return { verdict, subject: { ...base, ...reachOf(verdict), items: hashLoop(work.items, paths) }, paths };
  }
  let isStill: (() => boolean) | undefined;
  const verdict = await judgeOne(port, filled.action as SingleAction, work, cwd, null, (proof) => {
    isStill = () => realDirectory(work.session.cwd) === cwd && proof();
  });
  const judged = { verdict, subject: { ...base, ...reachOf(verdict) }, paths: verdict.paths };
  return isStill === undefined ? judged : { ...judged, isStill };
}

/** What is known of what it touches. */
export const reachOf = ({ paths, unknownPaths }: Pick<Verdict, 'paths' | 'unknownPaths'>) => ({
  paths,
  ...(unknownPaths === undefined ? {} : { unknownPaths }),
});

/** Every item, before the first of them runs. */
async function judgeLoop(
  port: VerdictPort,
  work: JudgeWork,
  loop: LoopAction,
  cwd: string,
  signal: AbortSignal,
): Promise<{ verdict: Verdict; paths: string[] }> {
  const sum = sumUp();
  for (let item = 0; item < countOf(loop, work.items); item += 1) {
    const filled = fillItem(work, loop, item);
    sum.add(
      filled.ok
        ? await judgeOne(port, filled.action, work, cwd, item)
        : refusal('blocked', 'value-refused', filled.sentence),
    );
    if (item % ITEMS_AT_ONCE === ITEMS_AT_ONCE - 1) await turn();
    if (signal.aborted) sum.add(refusal('dangerous', 'judge-failed', 'It was not judged to the end.'));
    if (signal.aborted) break;
  }
  return { verdict: sum.verdict(), paths: sum.paths() };
}

/** One action as it would be performed, its paths resolved. Never throws. */
export async function judgeOne(
  port: VerdictPort,
  action: SingleAction,
  work: JudgeWork,
  cwd: string,
  item: number | null,
  proves?: (isStill: () => boolean) => void,
): Promise<Verdict> {
  // A tool is judged by what it stands for; of what nobody knows, the judge says so.
  const parts = action.kind === 'call-tool' ? (toolParts(action) ?? []) : [];
  if (parts.length > 0) return judgeParts(port, parts, work, cwd, item);
  try {
    const { session, workspace, shell, earlier, byModel = false } = work;
    const files = action.kind === 'restore' ? null : resolveFiles(action, { workspace, cwd });
    if (files !== null && files.refusal !== null) return refusal('blocked', 'confinement', files.refusal);
    let proof: (() => boolean) | undefined;
    const note = (isStill: () => boolean) => {
      proof = isStill;
    };
    const place = { session, workspace, shell, earlier, byModel, proves: note, ...fillEnv(work, item) };
    const verdict = await judgeInView(port, files?.action ?? action, place);
    const isThere = () =>
      isDeepStrictEqual(files && resolveFiles(action as SimpleAction, { workspace, cwd }), files);
    // What is still to be found out of its paths is looked at below, and not remembered.
    if (proof !== undefined && verdict.paths.every((path) => isAbsolute(path))) {
      const isStill = proof;
      proves?.(() => isThere() && isStill());
    }
    // An absolute path is where it would reach already: a link that is itself meant is not followed.
    const reached = verdict.paths.map((path) => (isAbsolute(path) ? path : realPath(path, cwd)));
    const named = [...reached, ...(files?.paths ?? [])];
    return { ...verdict, paths: [...new Set(named)].sort() };
  } catch (error) {
    // Where a judge fails, nothing is known, and nothing may be assumed: a person has to look.
    const judged = refusal('dangerous', 'judge-failed', `it could not be judged: ${sentenceOf(error)}`);
    return { ...judged, unknownPaths: 'What it touches could not be found out.' };
  }
}

async function judgeParts(
  port: VerdictPort,
  parts: readonly SingleAction[],
  work: JudgeWork,
  cwd: string,
  item: number | null,
): Promise<Verdict> {
  const sum = sumUp();
  for (const part of parts) sum.add(await judgeOne(port, part, work, cwd, item));
  return { ...sum.verdict(), paths: sum.paths() };
}

const refusal = (level: 'dangerous' | 'blocked', rule: string, sentence: string): Verdict => ({
  level,
  reasons: [{ rule, level, sentence }],
  reversible: false,
  needs: [],
  paths: [],
});
