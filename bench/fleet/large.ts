import { join } from 'node:path';
import { defaultOptions } from '../../src/core/contract/index.ts';
import { type App, openApp } from '../../src/doors/app/app.ts';
import { ownerAt } from '../../src/doors/app/asker.ts';
import { median, type Row } from '../row.ts';
import { planOf } from './engines.ts';
import { type Database, openStage } from './stage.ts';

const SIZES = [100, 100_000] as const;
const TIMES = 15;

/** As many finished runs as these, each a copy of the first one in every table. */
async function fillUpTo({ query }: Database, first: string, count: number): Promise<void> {
  const [{ n, id }] = (await query<{ n: number; id: string }>(
    `SELECT (SELECT count(*)::int FROM planwright.streams) AS n, id FROM planwright.streams WHERE name = $1`,
    [first],
  )) as [{ n: number; id: string }];
  const made = `
    WITH made AS (INSERT INTO planwright.streams (name, kind, last_seq, epoch, changed, ids, "row")
      SELECT 'copy' || i, kind, last_seq, epoch, pg_current_xact_id(), ids, replace("row", $1, 'copy' || i)
      FROM planwright.streams, generate_series($3::int, $4::int - 1) AS i WHERE id = $2 RETURNING id, name),
    e AS (INSERT INTO planwright.events SELECT made.id, seq, packed, body FROM planwright.events, made WHERE stream = $2),
    t AS (INSERT INTO planwright.texts SELECT made.id, text FROM planwright.texts, made WHERE stream = $2)
    INSERT INTO planwright.listing (stream, id, kind, state, workspace, created_at, ended_at, due_at, awaits)
      SELECT made.id, name, kind, state, workspace, created_at - made.id, ended_at, due_at, awaits
      FROM planwright.listing l, made WHERE l.stream = $2`;
  await query(made, [first, id, n, count]);
  await query('ANALYZE');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** Listing a page, opening one, and going on with one, in a store of few and of very many. */
export async function benchFleetSize(): Promise<Row[]> {
  const stage = await openStage();
  const at = await stage.database('large');
  const home = join(stage.folder, 'home');
  const env = { ...process.env, PLANWRIGHT_HOME: home, PLANWRIGHT_DATABASE_URL: at.url };
  const app = await openApp({ env, cwd: stage.folder });
  try {
    const create = () =>
      app.runs.create({
        plan: planOf('nothing'),
        workspace: app.workspace,
        options: defaultOptions,
        agreed: ownerAt('terminal'),
      });
    const first = await create();
    await app.runs.drive(first);
    const taken: Record<string, number>[] = [];
    for (const size of SIZES) {
      await fillUpTo(at, first, size);
      taken.push({
        'listing a page of': await timed(() => app.streams.list({ limit: 50 })),
        'opening one of': await timed(async () => {
          const other = await reopened(env, stage.folder);
          await other.streams.state(first);
          await other.close();
        }),
        'resuming one of': await timed(async () => app.runs.drive(await create())),
      });
    }
    const [few, many] = taken as [Record<string, number>, Record<string, number>];
    return Object.keys(few).map((what) => ({
      name: `${what} 100,000 runs, against 100`,
      value: many[what]! / few[what]!,
      unit: '×',
      target: 1.5,
      note: `${many[what]!.toFixed(1)} and ${few[what]!.toFixed(1)} ms`,
    }));
  } finally {
    await app.close();
    await at.close();
    await stage.close();
  }
}

const reopened = (env: NodeJS.ProcessEnv, cwd: string): Promise<App> => openApp({ env, cwd });
