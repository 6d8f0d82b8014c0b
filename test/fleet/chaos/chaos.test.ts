import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NumberedEvent, RunRow } from '../../../src/core/contract/index.ts';
import { type App, openApp } from '../../../src/doors/app/app.ts';
import { createRandom } from '../../simulation/random.ts';
import { hasPostgres } from '../../support/postgres-server.ts';
import { processesOf } from '../../support/processes.ts';
import { howMany } from '../../support/scale.ts';
import { type Fleet, openFleet } from './fleet.ts';
import { effectPlan, keepsPromises, STEPS, timesOfTakingOver } from './promises.ts';

const CONCURRENCY = 2;
const SEED = Number(process.env['CHAOS_SEED'] ?? 20261116);
const RUNS = howMany(500, 40);
/** As many as leave nine of ten untouched, were each in the middle of as many steps as it can be. */
const KILLS = howMany(25, 2);
const RESTARTS = howMany(10, 1);

describe.skipIf(!hasPostgres)('three workers and two servers, killed at random', () => {
  let fleet: Fleet;
  let app: App;
  beforeAll(async () => {
    fleet = await openFleet(3, 2, CONCURRENCY);
    app = await openApp({
      cwd: fleet.folder,
      env: {
        ...process.env,
        PLANWRIGHT_HOME: join(fleet.folder, 'looking'),
        PLANWRIGHT_DATABASE_URL: fleet.url,
      },
      leavesDriving: true,
    });
  });
  afterAll(async () => {
    await app?.close();
    await fleet?.close();
  });

  const folders = Array.from({ length: RUNS }, (_, n) => `run-${n}`);
  const workspaceOf = (folder: string) => join(fleet.folder, folder);
  const ids = new Map<string, string>();

  /** Who is not answered, because the server was killed in the middle of its answer, asks again. */
  async function insist<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
    }
  }

  /** Several at once, each by its key. */
  async function beginAll(): Promise<void> {
    const waiting = [...folders];
    const ask = async () => {
      for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
        mkdirSync(workspaceOf(folder));
        const asked = {
          source: { text: effectPlan, kind: 'plan' as const },
          workspace: workspaceOf(folder),
          agreed: true,
          key: `chaos-${folder}`,
        };
        ids.set(folder, (await insist(() => fleet.client.createRun(asked))).id);
      }
    };
    await Promise.all([ask(), ask(), ask(), ask()]);
  }

  /** How much has been done, by what it left. */
  const progress = () =>
    folders.reduce((sum, folder) => {
      const file = join(workspaceOf(folder), 'effects.txt');
      return sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    }, 0);
  const ALL = RUNS * STEPS * 'begin 1\nend 1\n'.length;

  /** Strikes are spread over the work, not over time: each waits until so much more of it is done. */
  async function strike(killed: Map<number, number>): Promise<void> {
    const random = createRandom(SEED);
    const strikes = [...Array<'kill'>(KILLS).fill('kill'), ...Array<'restart'>(RESTARTS).fill('restart')];
    const moments = strikes.map(() => random.next() * 0.85 * ALL).toSorted((a, b) => a - b);
    for (const moment of moments) {
      while (progress() < moment) await sleep(20);
      // Somebody takes up a run and thinks better of it: one that is driven is not to be had.
      const begun = [...ids.values()].slice(-20);
      for (let n = 0; n < 4 && begun.length > 0; n += 1)
        await app.streams.drive(random.pick(begun), { signal: AbortSignal.abort() });
      const [what] = strikes.splice(random.int(strikes.length), 1);
      if (what === 'kill') {
        const at = Date.now();
        killed.set(await fleet.kill(random.pick(fleet.members)), at);
      } else await fleet.restartPostgres(random.chance(0.5) ? 'SIGINT' : 'SIGQUIT');
    }
  }

  /** Over whichever server there is, again and again. */
  async function watch(id: string, seen: NumberedEvent[], signal: AbortSignal): Promise<void> {
    for await (const event of fleet.client.watchRun(id, { signal })) seen.push(event);
  }

  const rows = () => app.streams.list<RunRow>({ limit: RUNS + 1 });
  const isAtRest = ({ state, endedAt }: RunRow) => endedAt !== null || state === 'waiting';

  test('nothing is lost, repeated or done by two; who was killed in a step waits for a person', async () => {
    const killed = new Map<number, number>();
    const takenOver: number[] = [];
    const striking = strike(killed);
    await beginAll();
    const stop = new AbortController();
    const watched = new Map(
      folders.slice(-10).map((folder) => [ids.get(folder)!, [] as NumberedEvent[]] as const),
    );
    const watching = [...watched].map(([id, seen]) => watch(id, seen, stop.signal));
    await striking;
    while (!(await rows()).every(isAtRest)) await sleep(200);

    expect(new Set(ids.values()).size, 'each was begun once, however often it was asked for').toBe(RUNS);
    expect((await rows()).length).toBe(RUNS);
    const waiting: string[] = [];
    for (const folder of folders) {
      const id = ids.get(folder)!;
      const events = await app.streams.read(id, 0);
      const { status } = keepsPromises(id, events, workspaceOf(folder), new Set(killed.keys()));
      takenOver.push(...timesOfTakingOver(events, killed));
      if (status !== 'done') waiting.push(folder);
    }
    console.log(
      `${RUNS} runs, ${killed.size} kills, ${RESTARTS} restarts: ${RUNS - waiting.length} done, ${waiting.length} wait; ` +
        `${takenOver.length} taken over, after ${Math.max(0, ...takenOver) / 1000} s at most`,
    );
    expect(RUNS - waiting.length).toBeGreaterThanOrEqual(0.9 * RUNS);

    for (const [id, seen] of watched) {
      const written = (await app.streams.read(id, 0)).map(({ seq, event }) => [seq, event.type]);
      while (seen.length < written.length) await sleep(20);
      expect(
        seen.map(({ seq, event }) => [seq, event.type]),
        'told once each, in order',
      ).toEqual(written);
    }
    stop.abort();
    await Promise.all(watching);

    for (const folder of waiting) {
      expect(processesOf(ids.get(folder)!), 'what was started has ended').toEqual([]);
      const { interrupted } = await app.runs.state(ids.get(folder)!);
      const { stepId, attemptIndex } = interrupted!;
      const decision = { type: 'interrupt-decided', stepId, attemptIndex, decision: 'done' } as const;
      await fleet.client.request(ids.get(folder)!, decision);
    }
    while (!(await rows()).every(({ state }) => state === 'done')) await sleep(100);
  });
});
