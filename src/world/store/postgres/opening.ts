import { randomUUID } from 'node:crypto';
import { StoreError } from '../errors.ts';
import { newKey } from '../sealing.ts';
import { type PostgresDatabase, type Queries, quoted } from './connection.ts';
import { migrations } from './schema.ts';

export interface Meta {
  version: number;
  /** Tells this store from every other. */
  store: string;
  key: Buffer;
}

/**
 * Makes and brings up to date what is in the schema. Whoever needs nothing changed needs no right to change it. Where it is made,
 * `key` seals from then on.
 */
export async function openSchema(db: PostgresDatabase, key: Buffer | null = null): Promise<Meta> {
  const found = await readMeta(db, db.schema);
  const meta = found?.version === migrations.length ? found : await migrate(db, key);
  // What was restored elsewhere tells of transactions that have not been there.
  const later = 'changed > pg_snapshot_xmax(pg_current_snapshot())';
  const [strange] = await db.query(`SELECT 1 FROM streams WHERE ${later} LIMIT 1`);
  if (strange !== undefined)
    await db.query(`UPDATE streams SET changed = pg_snapshot_xmin(pg_current_snapshot()) WHERE ${later}`);
  return meta;
}

/** Null where there is none yet. */
async function readMeta(asking: Queries, schema: string): Promise<Meta | null> {
  const [there] = await asking.query<{ meta: boolean; others: number }>(
    `SELECT count(*) FILTER (WHERE tablename = 'meta') > 0 AS meta, count(*) AS others
     FROM pg_tables WHERE schemaname = $1`,
    [schema],
  );
  if (there?.meta !== true) {
    if (there!.others > 0) throw foreign(schema);
    return null;
  }
  const [meta] = await asking.query<Meta & { version: number }>('SELECT version, store, key FROM meta');
  if (meta === undefined) throw foreign(schema);
  if (meta.version > migrations.length) {
    throw new StoreError(
      'store-newer',
      `The schema ${schema} was written by a newer version of planwright (version ${meta.version}, this one knows ${migrations.length}). Upgrade planwright.`,
    );
  }
  return meta;
}

const foreign = (schema: string) =>
  new StoreError(
    'store-foreign',
    `The schema ${schema} of this database belongs to another program. Use another database.`,
  );

/** Each up to the semicolon that ends its line; those within a function are its own. */
const statements = /(?:\$function\$.*?\$function\$|;(?!\s*\n)|[^;])+/gs;

/** All in one transaction; whoever comes second finds it done. */
const migrate = (db: PostgresDatabase, key: Buffer | null): Promise<Meta> =>
  db.transact(async (tx) => {
    await tx.query("SELECT pg_advisory_xact_lock(hashtext('planwright migrations'))");
    // Asked for one that is there, PostgreSQL wants the right to make it all the same.
    const [there] = await tx.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [db.schema]);
    if (there === undefined) await tx.query(`CREATE SCHEMA ${quoted(db.schema)}`);
    const found = await readMeta(tx, db.schema);
    for (const migration of migrations.slice(found?.version ?? 0)) {
      for (const [statement] of migration.matchAll(statements))
        if (statement.trim() !== '') await tx.query(statement);
    }
    if (found === null) {
      await indexTexts(tx);
      await tx.query('INSERT INTO meta (version, store, key) VALUES ($1, $2, $3)', [
        migrations.length,
        randomUUID(),
        key ?? newKey(),
      ]);
    } else await tx.query('UPDATE meta SET version = $1', [migrations.length]);
    return (await readMeta(tx, db.schema))!;
  });

/** Where the extension may not be made, and is not there, texts are found without an index: as surely, and slower. */
async function indexTexts(tx: Queries): Promise<void> {
  await tx.query('SAVEPOINT indexing');
  try {
    await tx.query('CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public');
    const [extension] = await tx.query<{ schema: string }>(`
      SELECT n.nspname AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
      WHERE e.extname = 'pg_trgm'`);
    const kind = `${quoted(extension!.schema)}.gin_trgm_ops`;
    await tx.query(`CREATE INDEX texts_text ON texts USING gin (text ${kind})`);
  } catch {
    await tx.query('ROLLBACK TO SAVEPOINT indexing');
  }
}
