import { type ChatFact, calledPlanId, callsOf, type Turn } from '../contract/index.ts';
import type { Checkpoints, RestoreOutcome, RestoreRange } from '../run/index.ts';
import type { ChatPorts, PlanChanges } from './ports.ts';
import type { ChatWorkOf } from './work.ts';

const noPort = { ok: false, code: 'unavailable', message: 'Checkpoints cannot be taken here.' } as const;

/** Before the first change of a turn, and after its last: what it changed lies between. */
export async function takeCheckpoint(
  checkpoints: Checkpoints | undefined,
  { state, when }: ChatWorkOf<'checkpoint'>,
  signal: AbortSignal,
): Promise<ChatFact[]> {
  const turn = state.turn!;
  const last = state.past.at(-1)?.at(-1)?.range;
  const taken =
    (await checkpoints?.take({
      label: `${when} turn ${turn.n}`,
      paths: pathsOf(turn),
      last: turn.range?.before ?? last?.after ?? last?.before ?? null,
      signal,
    })) ?? noPort;
  const which = { turn: turn.n, when };
  if (!taken.ok) return [{ type: 'checkpoint-failed', ...which, code: taken.code, message: taken.message }];
  const { checkpoint, uncovered } = taken;
  const isLate = when === 'after' && turn.range?.epoch !== state.epoch;
  return [
    {
      type: 'checkpoint-taken',
      ...which,
      checkpoint,
      ...(isLate ? { late: true as const } : {}),
      ...(uncovered.count === 0 ? {} : { uncovered }),
    },
  ];
}

/** What its calls name: kept although it may be ignored. */
const pathsOf = (turn: Turn): string[] => [
  ...new Set(callsOf(turn).flatMap(({ judged }) => judged?.subject.paths ?? [])),
];

/**
 * Puts back what a turn and those after it changed, their plans too. What somebody has changed since stays as it is. Where
 * something else keeps it from being put back, nothing is forgotten.
 */
export async function undoTurns(
  { checkpoints, changesOf }: Pick<ChatPorts, 'checkpoints' | 'changesOf'>,
  { state, turn }: ChatWorkOf<'undo'>,
  signal: AbortSignal,
): Promise<ChatFact[]> {
  const turns = state.past.flat().filter(({ n }) => n >= turn);
  const found = await Promise.all(
    turns.map(async (one) => {
      const plans = await Promise.all(one.plans.map(async ({ run }) => ({ run, ...(await changesOf(run)) })));
      return { turn: one, plans };
    }),
  );
  const ranges = found.flatMap((each) => rangesOf(state.begun!.chat, each));
  const notes = found
    .flatMap(({ plans }) => plans)
    .filter(({ reachedBeyond }) => reachedBeyond)
    .map(({ run }) => `What run ${run} did beyond the files here is taken back with: planwright undo ${run}`);
  const note = notes.length === 0 ? {} : { message: notes.join('; ') };
  const undone = { type: 'turn-undone', turn, ...note } as const;
  if (ranges.length === 0) return [{ ...undone, restored: 0, left: [], leftCount: 0 }];
  const done =
    (await checkpoints?.restore(
      { ranges, overwrite: [], begun: null },
      { signal, begun: async () => !signal.aborted },
    )) ?? noPort;
  const problem = problemOf(done);
  if (problem !== null) return [{ type: 'undo-failed', turn, message: problem }];
  const { restored, left, leftCount } = done as Extract<RestoreOutcome, { ok: true }>;
  return [{ ...undone, restored: restored.length, left, leftCount }];
}

/** What went wrong, in a sentence; null where all was put back that is still as it was left. */
function problemOf(done: RestoreOutcome): string | null {
  if (!done.ok) return done.message;
  if (done.stopped) return 'It was stopped on the way.';
  if (done.failedCount === 0) return null;
  const shown = done.left.slice(0, done.failedCount).map(({ path, why }) => `${path}: ${why}`);
  return `${done.failedCount} of its paths could not be put back (${shown.slice(0, 3).join('; ')}).`;
}

/**
 * What a turn changed, oldest first. A plan that was begun after the turn's own first change lies between the checkpoints
 * of the turn already.
 */
function rangesOf(
  chat: string,
  { turn, plans }: { turn: Turn; plans: readonly ({ run: string } & PlanChanges)[] },
): RestoreRange[] {
  const calls = callsOf(turn);
  const firstChange = calls.findIndex(
    ({ tool, started, judged }) => tool !== 'plan' && started !== null && judged?.verdict.level !== 'safe',
  );
  const isBefore = (run: string) => {
    const at = calls.findIndex(({ id }) => calledPlanId(chat, id) === run);
    return turn.range === null || at === -1 || firstChange === -1 || at < firstChange;
  };
  const own = turn.range;
  const before = plans.filter(({ run }) => isBefore(run)).flatMap(({ ranges }) => ranges);
  if (own === null || own.after === null || own.after === own.before) return before;
  const unsure = own.late ? { unsure: true as const } : {};
  return [...before, { before: own.before, after: own.after, ...unsure }];
}
