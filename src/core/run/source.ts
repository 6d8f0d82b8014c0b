import { type FactBody, isSameHost } from '../contract/index.ts';
import type { AbortReason } from '../stream/index.ts';
import type { SourcePort } from './ports.ts';
import { type PerformOf, paused, type WorkOf } from './work.ts';

export const take: PerformOf<'take'> = async (_run, { source }, { state }, { signal }) => {
  const taken =
    source === undefined
      ? ({ ok: false, message: 'runs of a git source are not driven here' } as const)
      : await source.take(state, signal);
  if (taken.ok) return [{ type: 'place-taken', place: taken.place }];
  // Whoever ended it decides what becomes of the run.
  if (signal.aborted) return [];
  return [paused('source-failed', taken.message)] as Extract<FactBody, { type: 'run-paused' }>[];
};

const over: readonly AbortReason[] = ['lost', 'cancelled'];
const isOver = ({ aborted, reason }: AbortSignal): boolean => aborted && over.includes(reason);

type Left = WorkOf<'attempt'> | WorkOf<'recover'>;

/**
 * What an attempt left, in the append that says how it ended: whoever reads that it is done has what it did. A run that is bound to its
 * machine may come free again.
 */
export async function carry(
  source: SourcePort | undefined,
  work: Left,
  signal: AbortSignal,
): Promise<FactBody[]> {
  const { state } = work;
  if (source?.carry === undefined || state.gitSource === null || isOver(signal)) return [];
  if (work.kind === 'attempt' && work.judged.verdict.level === 'safe' && state.groups.length === 0) return [];
  // Of what was begun elsewhere nothing is here.
  if (work.kind === 'recover' && !isSameHost(state.inFlight?.host ?? '', state.place.host)) return [];
  const carried = await source.carry(state);
  if (carried === null) return [];
  if (carried.ok) return [{ type: 'work-carried', parcel: carried.parcel }];
  return state.bound === carried.message
    ? []
    : [{ type: 'work-carried', parcel: null, message: carried.message }];
}
