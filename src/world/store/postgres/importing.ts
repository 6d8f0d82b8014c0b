import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { StreamRow } from '../../../core/contract/index.ts';
import type { AnyEvent, Kinds, LogName, Store } from '../../../core/stream/index.ts';
import { StoreError, unknownKind } from '../errors.ts';
import { logsOf } from '../output/names.ts';
import { carriedKey } from '../sealing.ts';
import { connect, type PostgresDatabase, storable } from './connection.ts';
import { carryLog } from './logs.ts';
import { openSchema } from './opening.ts';
import { openPostgres, type PostgresOptions } from './store.ts';

export interface Imported {
  streams: number;
  events: number;
  logs: number;
  /** Logs that no event of their stream names: they stay where they are. */
  leftLogs: string[];
}

export interface ImportOptions extends Omit<PostgresOptions, 'enqueue'> {
  schema: string;
  /** The store of the data folder `dir`. */
  from: Store;
  /** Told of each stream. */
  onStream?: (stream: string) => void;
}

const page = 500;

/**
 * Carries everything of a data folder into a database that is new, or that an earlier call has begun with: each stream whole,
 * in one append, and the same one again does nothing. Then everything is read on both sides and compared, event by event. What
 * was there stays as it is. Throws a StoreError where something is driven, or was written meanwhile, or differs.
 */
export async function importStore(options: ImportOptions): Promise<Imported> {
  const { from, kinds, dir, url, schema, onStream = () => {} } = options;
  const key = carriedKey(dir);
  const db = await connect({ url, schema, connections: 1, patienceMs: 30_000 });
  try {
    const meta = await openSchema(db, key);
    if (key !== null && !meta.key.equals(key)) throw ownKey(db.where);
    const cursor = await from.cursor();
    const rows = await allRows(from);
    await assertResting(from, rows);
    await useEpochs(db, from, kinds, rows);
    const to = await openPostgres<AnyEvent>(options);
    const done: Imported = { streams: 0, events: 0, logs: 0, leftLogs: [] };
    try {
      for (const row of rows) {
        onStream(row.id);
        const events = await carryStream(from, to, row);
        await carryNames(from, db, row.id);
        const { logs, unknown } = logsOf(join(dir, 'output'), row.id, events);
        for (const log of logs) await carryWithErrors(db, from, log);
        done.streams += 1;
        done.events += events.length;
        done.logs += logs.length;
        done.leftLogs.push(...unknown.map((name) => `${row.id}/${name}`));
      }
      await carryNotes(from, db);
      for (const row of rows) await compare(from, to, row);
    } finally {
      await to.close();
    }
    if ((await from.changedSince(cursor, 1)).streams.length > 0) throw writtenMeanwhile();
    return done;
  } finally {
    await db.close();
  }
}

/** The oldest first: a child is begun after its parent. */
async function allRows(from: Store): Promise<StreamRow[]> {
  const rows: StreamRow[] = [];
  for (let before: StreamRow | undefined; ; before = rows.at(-1)) {
    const found = await from.list({ limit: page, ...(before === undefined ? {} : { before }) });
    rows.push(...found);
    if (found.length < page) return rows.reverse();
  }
}

async function assertResting(from: Store, rows: readonly StreamRow[]): Promise<void> {
  const silent = await from.silent(rows.map(({ id }) => id));
  const driven = rows.find(({ id }) => !silent.has(id));
  if (driven !== undefined)
    throw new StoreError(
      'store-locked',
      `${driven.id} is being driven. Let it come to rest, then try again.`,
    );
}

/** A driver's epoch has to be greater than any that its stream has seen. */
async function useEpochs(
  db: PostgresDatabase,
  from: Store,
  kinds: Kinds,
  rows: readonly StreamRow[],
): Promise<void> {
  let most = 0;
  for (const { id, kind: name } of rows) {
    const kind = kinds.get(name);
    if (kind === undefined) throw unknownKind(name);
    const events = await from.read(id, 0);
    most = Math.max(
      most,
      kind.epochOf(events.reduce((state, stored) => kind.evolve(state, stored), kind.initial)),
    );
  }
  await db.query('UPDATE used SET epoch = greatest(epoch, $1::int)', [most]);
}

/** In one append: whoever waited for another was told of its end there, and is not told again. */
async function carryStream(from: Store, to: Store, { id, kind }: StreamRow): Promise<AnyEvent[]> {
  const events = (await from.read(id, 0)).map(({ event }) => event);
  const begun = await to.begin(id, { kind, id: 'migrate', events });
  if (!begun.ok) throw differs(id);
  return events;
}

/** What was asked before, and is asked again by the same key, is known there too. */
async function carryNames(from: Store, db: PostgresDatabase, stream: string): Promise<void> {
  const names = [...(await from.appends(stream))];
  await db.query(keepNames, [stream, names.map(([id]) => storable(id)), names.map(([, seq]) => seq)]);
}

const keepNames = `
  INSERT INTO appends (stream, id, seq)
    SELECT s.id, a.id, a.seq FROM streams s, unnest($2::text[], $3::int[]) AS a (id, seq) WHERE s.name = $1
  ON CONFLICT DO NOTHING`;

async function carryWithErrors(db: PostgresDatabase, from: Store, name: LogName): Promise<void> {
  const { id } = await carryLog(db, from.output, name);
  const errors = await from.output.errors(...name);
  const { isEnded } = await from.output.read(...name, 0, 0);
  await db.query(keepErrors, [id, errors.map(([start]) => start), errors.map(([, end]) => end), isEnded]);
}

const keepErrors = `
  WITH e AS (INSERT INTO log_errors (log, start, "end")
    SELECT $1, start, "end" FROM unnest($2::bigint[], $3::bigint[]) AS given (start, "end") ON CONFLICT DO NOTHING)
  UPDATE logs SET is_ended = $4, noted = cardinality($2) WHERE id = $1`;

/** Scores outlive their streams, so they are carried as they are. */
async function carryNotes(from: Store, db: PostgresDatabase): Promise<void> {
  const [fixes, scores] = [await from.fixes({}), await from.modelScores()];
  await db.transact(
    async (tx) => {
      for (const { id, scope, key, general, successes, failures, at } of fixes)
        await tx.query(keepFix, [id, scope, key, general, successes, failures, at]);
      await tx.query('DELETE FROM model_scores');
      for (const { model, role, asked, accepted } of scores)
        await tx.query('INSERT INTO model_scores (model, role, asked, accepted) VALUES ($1, $2, $3, $4)', [
          ...[model, role, asked, accepted],
        ]);
    },
    { repeatable: true },
  );
}

const keepFix = `
  INSERT INTO fixes (id, scope, key, general, successes, failures, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT DO NOTHING`;

async function compare(from: Store, to: Store, row: StreamRow): Promise<void> {
  const [ours, theirs] = [await from.read(row.id, 0), await to.read(row.id, 0)];
  if (!isDeepStrictEqual(ours, theirs) || !isDeepStrictEqual(row, await to.row(row.id)))
    throw differs(row.id);
}

const differs = (stream: string) =>
  new StoreError(
    'store-other',
    `${stream} is not the same in the database as it is here. Nothing was changed here; begin again with a new database.`,
  );
const ownKey = (where: string) =>
  new StoreError(
    'store-other',
    `${where} seals with a key of its own: what is sealed here could not be opened there. Use a new database.`,
  );
const writtenMeanwhile = () =>
  new StoreError(
    'store-locked',
    'Something was written here meanwhile. Let everything rest, then try again.',
  );
