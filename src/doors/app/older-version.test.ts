import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freshDatabase, hasPostgres } from '../../../test/support/postgres.ts';
import { someone } from '../../../test/support/someone.ts';
import { type ToyEvent, toyKind } from '../../../test/support/toy-kind.ts';
import type { RunEvent } from '../../core/contract/index.ts';
import { keptRuns } from '../../core/run/kept.ts';
import { kindsOf, type Store } from '../../core/stream/index.ts';
import { thisDriver } from '../../world/process/identity.ts';
import { openStore } from '../../world/store/index.ts';
import { openPostgres } from '../../world/store/postgres/index.ts';
import { type App, openApp } from './app.ts';
import { runOptions } from './options.ts';
import { driveAll } from './worker.ts';

type Later = Store<RunEvent | ToyEvent>;

/** A worker, and a later version that writes to the same journal. */
async function twoVersions(on: 'SQLite' | 'PostgreSQL'): Promise<{ app: App; later: Later; folder: string }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pw-older-')));
  const database = on === 'SQLite' ? null : await freshDatabase();
  const env = { PATH: process.env['PATH'], HOME: folder, PLANWRIGHT_HOME: join(folder, 'home') };
  const url = database === null ? {} : { PLANWRIGHT_DATABASE_URL: database.url };
  const app = await openApp({ cwd: folder, env: { ...env, ...url } });
  const options = { dir: app.places.data, driver: thisDriver(), kinds: kindsOf(keptRuns, toyKind) };
  const later: Later =
    database === null
      ? await openStore({ ...options })
      : await openPostgres({ ...options, url: database.url });
  onTestFinished(async () => {
    await later.close();
    await app.close();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { app, later, folder };
}

describe.each(['SQLite', 'PostgreSQL'] as const)('on %s a worker of an older version', (on) => {
  it.skipIf(on === 'PostgreSQL' && !hasPostgres)('leaves alone what it cannot read', async () => {
    const { app, later, folder } = await twoVersions(on);
    const plan = { goal: 'g', revision: 0, shell: 'bash' as const, steps: [] };
    const step = { id: 's1', title: 's', action: { kind: 'run-command' as const, command: 'touch ran' } };
    const run = await app.runs.create({
      plan: { ...plan, steps: [step] },
      workspace: folder,
      options: runOptions(app.config.values, { mode: 'planner' }, { attended: false }),
      agreed: someone,
    });
    const event = { v: 1, type: 'of-a-later-version', at: 5 } as unknown as RunEvent;
    await later.append(run, { id: 'later', events: [event] });
    const begun: ToyEvent = { v: 1, at: 5, type: 'toy-begun', target: 1 };
    await later.begin('of-a-later-kind', { kind: 'toy', id: 'begin', events: [begun] });
    const ends = async () => [await later.lastSeq(run), await later.lastSeq('of-a-later-kind')];
    const before = await ends();
    expect((await later.due(Date.now(), 9)).map(({ id }) => id).toSorted()).toEqual(
      [run, 'of-a-later-kind'].toSorted(),
    );
    for (const id of [run, 'of-a-later-kind'])
      expect(await app.streams.drive(id)).toMatchObject({ why: 'unreadable', wakeAt: null });
    const [errors, rested, stop] = [[] as unknown[], new Set<string>(), new AbortController()];
    await driveAll(app, {
      onError: (_, error) => void errors.push(error),
      onRest({ id }) {
        rested.add(id);
        if (rested.size === 2) stop.abort();
      },
      watch: stop.signal,
    });
    expect([errors, await ends()]).toEqual([[], before]);
  });
});
