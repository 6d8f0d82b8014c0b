import {
  elsewhere,
  fold,
  type RunLink,
  type RunRow,
  type RunState,
  textsOf,
} from '../../core/contract/index.ts';
import type { CheckpointStore } from '../../world/workspace/index.ts';
import { ownerAt } from './asker.ts';
import { AppError } from './errors.ts';
import type { Runs, RunsOptions } from './runs.ts';
import type { Rested } from './streams.ts';

// Runs are listed, looked at and asked something more often than they are driven: what that needs is loaded then.
const runKind = () => import('../../core/run/index.ts');
const undoing = () => import('./undo.ts');
const meaning = () => import('./meant.ts');

export function createRuns(given: RunsOptions): Runs {
  const { store, streams, driver, performerFor, replayPorts, openCheckpoints } = given;
  const withCheckpoints = async <T>(
    id: string,
    work: (state: RunState, of: CheckpointStore) => Promise<T>,
  ) => {
    const now = await stateHere(id);
    const checkpoints = await openCheckpoints(now.workspace);
    try {
      return await work(now, checkpoints);
    } finally {
      await checkpoints.close();
    }
  };
  const state = async (id: string) => {
    if ((await store.kindOf(id)) === 'run') return (await streams.state(id)) as RunState;
    throw new AppError('no-such-run', `there is no run ${JSON.stringify(id)}`);
  };
  /** For what looks into its folder. Throws an AppError where that is on another host. */
  const stateHere = async (id: string) => {
    const now = await state(id);
    const away = elsewhere(now.place, driver.host);
    if (away !== null) throw new AppError('elsewhere', away);
    return now;
  };
  const making = async () => (await import('./make-runs.ts')).makingRuns(given);
  const runs: Runs = {
    create: async (wanted) => (await making()).create(wanted),
    plan: async (goal) => (await making()).plan(goal),
    async again(id, { stepId, inputs } = {}) {
      const { againFrom, againOf } = await import('./again.ts');
      if (stepId !== undefined) return againFrom(stepId, id, await stateHere(id));
      const now = await state(id);
      return againOf(id, now.gitSource === null ? await stateHere(id) : now, inputs);
    },
    drive: (id, options) => streams.drive(id, options) as Promise<Rested<RunState>>,
    request: streams.request,
    state,
    async fetched(id) {
      const [begun] = await store.read(id, 0, 1);
      if (begun?.event.type !== 'plan-created' || begun.event.fetched === undefined) return null;
      const { sha256: hash, bytes: length } = begun.event.fetched;
      const { readByHash } = await import('../../world/tools/index.ts');
      return readByHash(store.output, id, 'fetched', { hash, length });
    },
    preview: async (id) => {
      const now = await stateHere(id);
      const { previewSteps } = await import('./preview.ts');
      return previewSteps(id, now, await performerFor(now));
    },
    replay: async (id) => {
      const [events, { createRunMachine, replayRun }] = await Promise.all([store.read(id, 0), runKind()]);
      const now = fold(events);
      const performer = await performerFor(now);
      const machine = createRunMachine(id, driver, { performer, ...replayPorts(now) });
      return replayRun(events, machine);
    },
    watch: (id, afterSeq, signal) => store.tail(id, afterSeq, signal),
    waiting: async (limit) => {
      const rows = await runs.list({ state: ['waiting', 'agreeing', 'paused'] });
      return rows.filter(({ waitingFor }) => waitingFor !== null).slice(0, limit);
    },
    list: (query) => streams.list({ ...query, kind: 'run' }),
    find: async (named, workspace, purpose = 'look') =>
      (await meaning()).runsMeant(named, purpose, { listing: streams, workspace, home: given.home }),
    folder: async (workspace) =>
      (await meaning()).folderMeant({ listing: streams, workspace, home: given.home }),
    diff: async (id, options) => {
      const { diffOf } = await undoing();
      return withCheckpoints(id, (now, checkpoints) => diffOf(id, now, checkpoints, options));
    },
    async undo(id, { agreed, options, ...choice }) {
      const { planUndo } = await undoing();
      if (options !== undefined) await streams.admit(agreed ?? ownerAt('library'), 'ask', 'undo', id);
      const undos = await Promise.all((await runs.undoneBy(id)).map((undo) => state(undo.id)));
      const { preview, plan, now } = await withCheckpoints(id, async (now, checkpoints) => ({
        now,
        ...(await planUndo(id, now, checkpoints, { ...choice, undos })),
      }));
      if (options === undefined || plan === null || preview.from === null) return { ...preview, by: null };
      const by = await runs.create({
        plan,
        workspace: now.workspace,
        // Its declared `undo` actions may use them.
        options: { ...options, inputs: textsOf(now.values) },
        parent: { run: id, stepId: preview.from, how: 'undo' },
        sealed: now.sealed,
        ...(agreed === undefined ? {} : { agreed }),
      });
      return { ...preview, by };
    },
    services: async (query = {}) => (await import('./services.ts')).listServices(runs, driver.host, query),
    undoneBy: async (id) =>
      (await runs.related(id)).filter(({ how }) => how === 'undone-by').map(({ row }) => row),
    async related(id) {
      const own = await store.row<RunRow>(id);
      if (own === null) throw new AppError('no-such-run', `there is no run ${JSON.stringify(id)}`);
      const from = own.undoes ?? own.forks ?? own.repeats;
      const parent = from === undefined ? null : await store.row<RunRow>(from.run);
      const links = (await runs.list({ workspace: own.workspace })).flatMap((row): RunLink[] => {
        if (row.undoes?.run === id) return [{ how: 'undone-by', row }];
        if (row.forks?.run === id) return [{ how: 'forked-to', row }];
        return row.repeats?.run === id ? [{ how: 'repeated-by', row }] : [];
      });
      const how = own.undoes !== undefined ? 'undoes' : own.forks !== undefined ? 'forks' : 'repeats';
      return parent === null ? links : [{ how, row: parent }, ...links];
    },
  };
  return runs;
}
