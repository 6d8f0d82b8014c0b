import { type Driver, isLoop, type RunState } from '../../core/contract/index.ts';
import type { Mind, Performer, Planner, RunPorts } from '../../core/run/index.ts';
import { keptRuns } from '../../core/run/kept.ts';
import { foldVersion } from '../../world/store/index.ts';
import type { CheckpointStore, RunCheckpoints } from '../../world/workspace/index.ts';
import type { GivenHere } from './environment.ts';
import type { Sources } from './sources.ts';
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
  sources: Sources;
  /** Whether a run that lives elsewhere may be taken up here. */
  mayTake(state: RunState): boolean;
}

const load = () =>
  Promise.all([
    import('../../core/run/index.ts'),
    import('../../world/workspace/index.ts'),
    import('../../world/process/index.ts'),
  ]);
let loading: ReturnType<typeof load> | undefined;

/** Plan runs, as this program drives them. */
export const drivableRuns = (given: RunDriving): Drivable => ({
  kind: keptRuns,
  foldVersion,
  async open(id, folded) {
    const state = folded as RunState;
    const { driver, givenHere, performerFor, mindFor, plannerFor, openCheckpoints } = given;
    const [{ createRunMachine }, { createRunCheckpoints }, { expectCommands }] = await (loading ??= load());
    expectCommands(commandsAhead(state));
    const portsIn = async (now: RunState) => {
      const checkpoints = createRunCheckpoints(now.workspace, () => openCheckpoints(now.workspace));
      return {
        performer: await performerFor(now, checkpoints),
        checkpoints,
        mind: mindFor(now, id),
        planner: plannerFor(now, id),
      };
    };
    const ports: Awaited<ReturnType<typeof portsIn>> & Pick<RunPorts, 'source'> = await portsIn(state);
    if (state.gitSource !== null)
      ports.source = given.sources.portFor(id, async (place) => {
        await ports.checkpoints.close();
        Object.assign(ports, await portsIn({ ...state, place, workspace: place.workspace }));
      });
    const takes = state.gitSource !== null && given.mayTake(state);
    const machine = createRunMachine(id, driver, ports, givenHere.differs(state), takes);
    return { machine, close: () => ports.checkpoints.close() };
  },
});

/** A loop may have as many. */
const MANY = 10;

/** How many shells will be started before it rests, as far as that can be seen. */
export function commandsAhead({ status, inbox, plan, steps }: RunState): number {
  // One that nobody has asked anything of rests at once, unless it goes on by itself.
  if (plan === null || (status !== 'running' && inbox.length === 0)) return 0;
  let at = 0;
  let count = 0;
  for (const { status: now } of steps) {
    const step = plan.steps[at++];
    if (now !== 'pending' || step === undefined || step.interactive) continue;
    const { action } = step;
    const done = isLoop(action) ? action.do : action;
    if (done.kind === 'run-command' || done.kind === 'run-script') count += isLoop(action) ? MANY : 1;
  }
  return count;
}
