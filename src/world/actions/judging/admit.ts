import { isDeepStrictEqual } from 'node:util';
import {
  fingerprint,
  isLoop,
  type SingleAction,
  type StepResult,
  type Subject,
} from '../../../core/contract/index.ts';
import { atLeast } from '../../../core/risk/index.ts';
import { type AttemptWork, failedResult, type JudgeWork } from '../../../core/run/index.ts';
import { type Permit, redeemPermit } from '../../../core/stream/index.ts';
import type { VerdictPort } from '../ports.ts';
import { boundDefinitions } from './definitions.ts';
import { fill, fillEnv, fillItem } from './expand.ts';
import { type JudgedStep, judgeOne, judgeStep, reachOf } from './judge-step.ts';
import { realDirectory } from './paths.ts';

export type Admitted = { ok: true; action: SingleAction } | { ok: false; result: StepResult };

/** What the loops now going round were judged to be, by fingerprint: all of it, where a subject has hashes. */
export type JudgedLoops = Map<string, { items: readonly string[] | null; paths: ReadonlySet<string> }>;
const LOOPS_KEPT = 16;

export function keepJudged(loops: JudgedLoops, { items }: JudgeWork, { subject, paths }: JudgedStep): void {
  if (!isLoop(subject.action)) return;
  loops.set(fingerprint(subject), { items, paths: new Set(paths) });
  for (const oldest of loops.keys()) {
    if (loops.size <= LOOPS_KEPT) return;
    loops.delete(oldest);
  }
}

/** A judgement, and of what it is. */
export interface JudgedWork {
  work: JudgeWork;
  judged: JudgedStep;
}

interface Known {
  loops: JudgedLoops;
  /** What was judged last. */
  last: JudgedWork | null;
}

/** All that a judgement is made of besides the world. */
const isSameWork = (a: JudgeWork, b: JudgeWork): boolean =>
  a.run === b.run &&
  a.revision === b.revision &&
  a.step === b.step &&
  a.session === b.session &&
  a.workspace === b.workspace &&
  a.shell === b.shell &&
  a.values === b.values &&
  a.items === b.items &&
  a.grants === b.grants &&
  a.byModel === b.byModel &&
  a.earlier === b.earlier;

/**
 * Takes the permit for what is about to be done, resolved and judged once more: or what was judged last, where it is of the same
 * work, and a look at all that was looked at then finds it unchanged. If the action, the directory or a
 * path is no longer what was judged and shown, or it has become riskier, nothing may be done. Of a loop, only the
 * item is judged again: what it costs does not grow with the number of items. Never throws.
 */
export const admit = (
  port: VerdictPort,
  { loops, last }: Known,
  permit: Permit,
  work: AttemptWork,
  signal: AbortSignal,
): Promise<Admitted> =>
  isLoop(work.step.action)
    ? admitItem(port, loops, permit, work, signal)
    : admitStep(port, last, permit, work, signal);

async function admitStep(
  port: VerdictPort,
  last: JudgedWork | null,
  permit: Permit,
  work: AttemptWork,
  signal: AbortSignal,
): Promise<Admitted> {
  const known = last !== null && isSameWork(last.work, work) && last.judged.isStill?.() ? last.judged : null;
  const { verdict, subject } = known ?? (await judgeStep(port, work, signal));
  // Paths are what an approval is bound to. Those of a command that needs none may come and go while others work.
  const isCommand = subject.action.kind === 'run-command' || subject.action.kind === 'run-script';
  const needsNone =
    isCommand && !atLeast(verdict.level, 'dangerous') && !atLeast(work.judged.verdict.level, 'dangerous');
  const { unknownPaths: _, ...rest } = subject;
  const shown = needsNone ? { ...rest, ...reachOf(work.judged.subject) } : subject;
  if (!redeemPermit(permit, shown)) return refuse('internal', 'its permit is not for what would be run');
  return riskier(verdict, work.judged) ?? { ok: true, action: subject.action as SingleAction };
}

async function admitItem(
  port: VerdictPort,
  loops: JudgedLoops,
  permit: Permit,
  work: AttemptWork,
  signal: AbortSignal,
): Promise<Admitted> {
  const { subject } = work.judged;
  const loop = work.step.action;
  if (!redeemPermit(permit, subject) || !isLoop(loop) || work.item === null)
    return refuse('internal', 'its permit is not for what would be run');
  const filled = fillItem(work, loop, work.item);
  if (!filled.ok) return refuse('blocked', filled.sentence);
  const cwd = realDirectory(work.session.cwd);
  if (!isStillThat(work, subject, cwd)) return refuse('internal', 'its permit is not for what would be run');
  const verdict = await judgeOne(port, filled.action, work, cwd, work.item);
  if (loops.get(fingerprint(subject))?.items !== work.items) {
    const again = await judgeStep(port, work, signal);
    if (fingerprint(again.subject) !== fingerprint(subject))
      return refuse('blocked', 'its items are no longer what was judged');
    keepJudged(loops, work, again);
  }
  const judged = loops.get(fingerprint(subject));
  const strange = verdict.paths.find((path) => !judged?.paths.has(path));
  if (strange !== undefined) return refuse('blocked', `${strange} was not among the paths that were judged`);
  return riskier(verdict, work.judged) ?? { ok: true, action: filled.action };
}

/** All of a loop's subject but its items and paths, which the permit and the item's own judgement answer for. */
function isStillThat(work: AttemptWork, subject: Subject, cwd: string): boolean {
  const filled = fill(work);
  return (
    filled.ok &&
    subject.run === work.run &&
    subject.stepId === work.step.id &&
    subject.revision === work.revision &&
    subject.cwd === cwd &&
    isDeepStrictEqual(subject.action, filled.action) &&
    isDeepStrictEqual(subject.env, fillEnv(work, null).env) &&
    subject.definitions === boundDefinitions(work, filled.action).definitions
  );
}

function riskier(now: JudgedStep['verdict'], before: AttemptWork['judged']): Admitted | null {
  if (atLeast(before.verdict.level, now.level)) return null;
  const reason = now.reasons[0]?.sentence;
  const judged = `it is judged ${now.level} now, and was ${before.verdict.level} before`;
  return refuse('blocked', reason === undefined ? judged : `${judged}: ${reason}`);
}

const refuse = (why: 'internal' | 'blocked', sentence: string): Admitted => ({
  ok: false,
  result: failedResult(why, `not started: ${sentence}`),
});
