import { expect, it } from 'vitest';
import { defaultOptions, type FactBody, hashPlan, type RunEvent } from '../../core/contract/index.ts';
import { runKind } from '../../core/run/index.ts';
import { kindsOf, type Store } from '../../core/stream/index.ts';
import { openStore } from '../../world/store/index.ts';
import { driver, tempDir } from '../../world/store/test-support.ts';
import { createExperience } from './experience.ts';

const openRuns = () => openStore<RunEvent>({ dir: tempDir(), driver: driver(1), kinds: kindsOf(runKind) });

const model = { provider: 'p', model: 'm' };

async function addRun(store: Store<RunEvent>, id: string, at: number, facts: FactBody[]) {
  const events = facts.map((fact, n) => ({ v: 1, at: at + n, ...fact }) as RunEvent);
  await store.begin(id, { kind: 'run', id, events });
}

const goalGiven = (goal: string, workspace: string): FactBody => ({
  type: 'goal-given',
  goal,
  place: { host: 'h', boot: 'b', workspace: workspace },
  options: defaultOptions,
  chain: { planner: [model], fast: [] },
});
const received: FactBody = {
  type: 'draft-received',
  n: 1,
  by: 'plan',
  model,
  raw: '{}',
  length: 2,
  digest: 'd',
  durationMs: 1,
};
const rejected = (message: string): FactBody => ({
  type: 'draft-rejected',
  n: 1,
  model,
  reasons: [{ code: 'x', message, hint: '' }],
});

/** An old run like the goal, one elsewhere, one that is asking, and then many about other things. */
async function history(): Promise<Store<RunEvent>> {
  const store = await openRuns();
  const failedLike = (workspace: string, said: string) => [
    goalGiven('Serve this directory on port 8080', workspace),
    received,
    rejected(said),
  ];
  await addRun(store, 'old', 1, failedLike('/w', 'the port was wrong'));
  await addRun(store, 'elsewhere', 10, failedLike('/other', 'not from here'));
  await addRun(store, 'asking', 20, failedLike('/w', 'its own'));
  const plan = {
    goal: 'Serving folders again',
    shell: 'bash' as const,
    revision: 0,
    steps: [{ id: 's1', title: 'Serve', action: { kind: 'run-command' as const, command: 'serve it' } }],
  };
  const result = { exitCode: 1, stdoutTail: '', stderrTail: 'a\nno such port\n', durationMs: 5 };
  await addRun(store, 'failed', 30, [
    {
      type: 'plan-created',
      plan,
      hash: hashPlan(plan),
      place: { host: 'h', boot: 'b', workspace: '/w' },
      options: defaultOptions,
    },
    { type: 'step-failed', stepId: 's1', attemptIndex: 0, result } as unknown as FactBody,
  ]);
  for (let n = 0; n < 60; n += 1) {
    await addRun(store, `new${n}`, 1000 + n, [
      goalGiven(`Rotate the logs number ${n} on this port`, '/w'),
      received,
      rejected('about logs'),
    ]);
  }
  return store;
}

it('what went wrong before is found however long ago it was, and nothing else is', async () => {
  const { wentWrong } = createExperience(await history());
  const said = await wentWrong('serve a folder on port 9090', '/w', 'asking');
  expect(said.toSorted()).toEqual([
    'A plan for "Serve this directory on port 8080" was rejected: the port was wrong',
    'In a run for "Serving folders again", RUN_COMMAND serve it failed: no such port',
  ]);
});

it('no words, no experience; a store that cannot be read is none either', async () => {
  const store = await history();
  expect(await createExperience(store).wentWrong('do it', '/w', 'x')).toEqual([]);
  await store.close();
  expect(await createExperience(store).wentWrong('serve a folder', '/w', 'x')).toEqual([]);
});
