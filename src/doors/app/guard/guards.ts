import type { GuardRow, GuardState } from '../../../core/contract/guard/index.ts';
import type { RunEvent } from '../../../core/contract/index.ts';
import type { Store } from '../../../core/stream/index.ts';
import { systemClock } from '../../../world/store/index.ts';
import type { CheckpointStore } from '../../../world/workspace/index.ts';
import type { Asker } from '../asker.ts';
import { AppError } from '../errors.ts';
import type { Places } from '../places.ts';
import type { AppStreams } from '../streams.ts';
import type { UndoChoice, UndoPreview } from '../undo.ts';
import type { GuardUndone } from './take-back.ts';

/** What people do with the sessions of other agents that the guard watches over. */
export interface GuardedSessions {
  /** The newest first; of one folder where it is named. */
  list(query?: { workspace?: string; limit?: number }): Promise<GuardRow[]>;
  state(id: string): Promise<GuardState>;
  /** By the beginning of its id or of the agent's own name for it; where none is named the latest of the folder that could be read. */
  find(named: string | undefined, workspace: string): Promise<GuardRow>;
  /** Always allows exactly what a verdict was about, in its folder. Says what was done. Rejects with an AppError. */
  allow(verdict: string, by: Asker): Promise<string>;
  /** What taking the session back would do, as things are now. Changes nothing. */
  undoPreview(id: string, choice: Pick<UndoChoice, 'overwrite'>): Promise<UndoPreview>;
  /** Takes back what its calls changed, where nobody has changed it since. Rejects with an AppError. */
  undo(id: string, choice: Pick<UndoChoice, 'overwrite'>, by: Asker): Promise<GuardUndone>;
}

export interface GuardsOptions {
  store: Store<RunEvent>;
  streams: AppStreams<RunEvent>;
  places: Places;
  openCheckpoints(workspace: string): Promise<CheckpointStore>;
}

/** Verdicts are looked for in so many of the latest sessions. */
const LATEST = 200;

export function createGuards({ store, streams, places, openCheckpoints }: GuardsOptions): GuardedSessions {
  const list: GuardedSessions['list'] = (query = {}) => streams.list<GuardRow>({ kind: 'guard', ...query });
  const state = async (id: string) => (await streams.state(id)) as GuardState;
  const taking = async (id: string) => ({ id, state: await state(id), store, openCheckpoints });
  return {
    list,
    state,
    async find(named, workspace) {
      const { UNREADABLE } = await import('../../../core/guard/index.ts');
      const all = await list({ limit: LATEST, ...(named === undefined ? { workspace } : {}) });
      const found =
        named === undefined
          ? all.filter(({ session }) => session !== UNREADABLE).slice(0, 1)
          : all.filter(({ id, session }) => id.startsWith(named) || session.startsWith(named));
      if (found.length === 1) return found[0]!;
      const what = named === undefined ? 'in this folder yet' : `${JSON.stringify(named)}, or more than one`;
      throw new AppError('no-such-stream', `there is no guarded session ${what}: planwright guard log --all`);
    },
    async allow(verdict, by) {
      for (const { id } of await list({ limit: LATEST })) {
        const { calls, place } = await state(id);
        const call = calls.find((one) => one.id === verdict);
        if (call === undefined) continue;
        await streams.admit(by, 'decide', 'guard allow', id);
        if (call.judged === undefined) throw new AppError('usage', `nothing was objected to in ${verdict}`);
        const { action, verdict: shown } = call.judged;
        const { allowHere } = await import('../rules.ts');
        const what = { subject: { action }, verdict: shown };
        return allowHere(places, place.workspace, what, systemClock.now());
      }
      throw new AppError('no-such-stream', `there is no verdict ${verdict}: planwright guard log lists them`);
    },
    undoPreview: async (id, choice) => (await import('./take-back.ts')).previewOf(await taking(id), choice),
    async undo(id, choice, by) {
      await streams.admit(by, 'decide', 'undo', id);
      return (await import('./take-back.ts')).takeBack(await taking(id), choice);
    },
  };
}
