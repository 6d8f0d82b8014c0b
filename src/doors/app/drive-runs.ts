import type { Driver, RunState } from '../../core/contract/index.ts';
import type { Mind, Performer, Planner } from '../../core/run/index.ts';
import { keptRuns } from '../../core/run/kept.ts';
import { foldVersion } from '../../world/store/index.ts';
import type { CheckpointStore, RunCheckpoints } from '../../world/workspace/index.ts';
import type { GivenHere } from './environment.ts';
import type { Drivable } from './streams.ts';

/** What driving a run needs. A run has its own: what must not be shown differs. */
export interface RunDriving {
  driver: Driver;
  givenHere: GivenHere;
  performerFor(state: RunState, checkpoints?: RunCheckpoints): Promise<Performer>;
  mindFor(state: RunState, run: string): Mind;
  plannerFor(state: RunState, run: string): Planner;
  /** Of a workspace. */
  openCheckpoints(workspace: string): Promise<CheckpointStore>;
}

/** Plan runs, as this program drives them. */
export const drivableRuns = (given: RunDriving): Drivable => ({
  kind: keptRuns,
  foldVersion,
  async open(id, folded) {
    const state = folded as RunState;
    const { driver, givenHere, performerFor, mindFor, plannerFor, openCheckpoints } = given;
    const [{ createRunMachine }, { createRunCheckpoints }] = await Promise.all([
      import('../../core/run/index.ts'),
      import('../../world/workspace/index.ts'),
    ]);
    const checkpoints = createRunCheckpoints(state.workspace, () => openCheckpoints(state.workspace));
    const ports = {
      performer: await performerFor(state, checkpoints),
      checkpoints,
      mind: mindFor(state, id),
      planner: plannerFor(state, id),
    };
    const machine = createRunMachine(id, driver, ports, givenHere.differs(state));
    return { machine, close: () => checkpoints.close() };
  },
});
