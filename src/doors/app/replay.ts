import type { Driver, StoredEvent } from '../../core/contract/index.ts';
import { createRunMachine, type Performer, type Replayed, replayRun } from '../../core/engine/index.ts';

const untouched = (): never => {
  throw new Error('a replay touches nothing');
};
/** Never asked: what came of work is in the journal. */
const nobody: Performer = {
  judge: untouched,
  attempt: untouched,
  recover: untouched,
  release: untouched,
  survey: untouched,
};

/** Goes along a run's journal and takes its decisions anew. Changes nothing, sends nothing, performs nothing. */
export const replay = (
  { id, driver }: { id: string; driver: Driver },
  events: readonly StoredEvent[],
  signal: AbortSignal,
): Promise<Replayed> =>
  replayRun(events, { machine: createRunMachine(id, driver, { performer: nobody }), signal });
