import type { RunRow, RunState, StreamRow } from '../../core/contract/index.ts';
import { sentenceOf } from '../../core/contract/told/index.ts';
import { putTo, takeDecision } from './decide.ts';
import type { Asks, Visit } from './desk.ts';
import { isOpenTo, mustBeTrusted } from './folders.ts';

/** Waits until the run goes no further by itself, for so long. Somebody else drives it. Answers with its state then. */
export async function untilRest(visit: Visit, run: string, seconds: number): Promise<RunState> {
  const { app } = visit.desk;
  const limit = AbortSignal.any([visit.signal, AbortSignal.timeout(seconds * 1000)]);
  for (;;) {
    // In this order: what has come to rest is answered as it rests, and what happens from here on wakes.
    const seq = await app.streams.lastSeq(run);
    const goesOn = isGoing(await app.streams.row<RunRow>(run));
    const state = await app.runs.state(run);
    if (!goesOn || seconds === 0 || limit.aborted) return state;
    await visit.progress(state.seq, sentenceOf(app.redactorFor(state).value(state)).text);
    await app.streams.changed(run, seq, limit);
  }
}

/** Somebody drives it, or is to. */
export const isGoing = (row: StreamRow | null): boolean =>
  row !== null && (row.goesOn || row.unanswered.length > 0);

/**
 * Stays with a run: takes down what the person has decided through the client, sees to it that the run is driven, waits, and
 * asks the person through the client where they may decide there.
 */
export async function attendRun(visit: Visit, run: string, seconds: number): Promise<RunState | Asks> {
  const { desk, caller, round, answers } = visit;
  const left =
    round?.asks !== undefined &&
    round.run === run &&
    (await takeDecision(visit, run, round.asks, answers['decision'])) === 'left';
  await takeUp(visit, run);
  const state = await untilRest(visit, run, seconds);
  // Whoever has just left a question open is not asked the same again.
  if (left || !isOpenTo(caller, state.workspace)) return state;
  return (await putTo(visit, run, state)) ?? (await desk.app.runs.state(run));
}

/** A run that goes on and that nobody drives is driven here. */
export async function takeUp({ desk, caller }: Visit, run: string): Promise<void> {
  const row = await desk.app.streams.row<RunRow>(run);
  if (row === null || row.endedAt !== null || caller.asker.scope === 'read') return;
  if (!isGoing(row)) return;
  mustBeTrusted(desk.app, row.workspace);
  await desk.app.streams.admit(caller.asker, 'ask', 'drive', run);
  desk.drivers.dispatch(run);
}
