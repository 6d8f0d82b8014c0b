import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { StoreError } from '../errors.ts';
import { isLostConnection, isUndone, toStoreError } from './failures.ts';
import { inTransaction } from './transaction.ts';

export interface ConnectionOptions {
  /** `postgres://…`, as every program of PostgreSQL takes it. */
  url: string;
  /** The schema that everything is in. */
  schema: string;
  /** How many connections this process has at most, one to listen not counted. */
  connections: number;
  /** How long what may safely be repeated is tried again while the server cannot be reached. */
  patienceMs: number;
}

type Row = QueryResultRow;

/** Asks within one transaction, or each time in one of its own. */
export interface Queries {
  query<R extends Row>(sql: string, values?: readonly unknown[]): Promise<R[]>;
}

/** The connections of one process to one database. */
export interface PostgresDatabase extends Queries {
  /** Where it is, for people: without its password. */
  where: string;
  schema: string;
  /** Asked once and again, until it is answered: it changes nothing, or nothing more the second time. */
  query: Queries['query'];
  /**
   * Runs the body in one transaction; an error undoes all of it. It is run anew where it was undone for another's sake, or
   * where the connection broke before it was committed. Where nobody knows whether it was: only what is `repeatable`.
   */
  transact<T>(body: (asking: Queries) => Promise<T>, options?: { repeatable: boolean }): Promise<T>;
  /** A connection for listening: what is said on the channel, and that it broke. Resolves when it is on; rejects where it never was. */
  listen(channel: string, heard: (said: string) => void, broke: () => void): Promise<() => void>;
  isOpen(): boolean;
  close(): Promise<void>;
}

const CONNECT_MS = 5000;
/** A server that does not answer for so long is not there. */
const ANSWER_MS = 20_000;

/** Loads the driver. Opens nothing yet. */
export async function connect(options: ConnectionOptions): Promise<PostgresDatabase> {
  const { url, schema, connections, patienceMs } = options;
  const { default: pg } = await import('pg');
  const where = placeOf(url);
  const config = {
    ...sessionsOf(url, schema),
    application_name: `planwright ${schema}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    types: { getTypeParser: parserOf(pg.types) },
  };
  const pool: Pool = new pg.Pool({
    ...config,
    max: connections,
    query_timeout: ANSWER_MS,
    allowExitOnIdle: true,
  });
  // One that breaks while nobody uses it is no error: the next one is opened.
  pool.on('error', () => {});
  // Nor is one that breaks within a transaction, beyond what its question is answered: unheard it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  let isOpen = true;
  const underWay = new Set<Promise<unknown>>();

  const assertOpen = () => {
    if (!isOpen) throw new StoreError('store-closed', 'The store was closed. Open it again to go on.');
  };
  /** Tries until the patience is over. `mayRepeat` says whether what was tried has surely not happened. */
  async function insist<T>(attempt: () => Promise<T>, mayRepeat: (error: unknown) => boolean): Promise<T> {
    const until = performance.now() + patienceMs;
    for (let tries = 1; ; tries++) {
      assertOpen();
      const trying = attempt();
      underWay.add(trying);
      try {
        return await trying;
      } catch (error) {
        const again = isUndone(error) || (mayRepeat(error) && isLostConnection(error));
        if (!again || performance.now() >= until) throw toStoreError(error, where);
      } finally {
        underWay.delete(trying);
      }
      await pause(tries);
    }
  }

  async function transactOnce<T>(body: (asking: Queries) => Promise<T>, ending: () => void): Promise<T> {
    const client = await pool.connect();
    return inTransaction(client, () => body(askingBy(client)), ending);
  }

  return {
    where,
    schema,
    query: <R extends Row>(sql: string, values?: readonly unknown[]) =>
      insist(
        () => askingBy(pool).query<R>(sql, values),
        () => true,
      ),
    transact(body, { repeatable } = { repeatable: false }) {
      let isEnding = false;
      return insist(
        () => {
          isEnding = false;
          return transactOnce(body, () => {
            isEnding = true;
          });
        },
        () => repeatable || !isEnding,
      );
    },
    async listen(channel, heard, broke) {
      assertOpen();
      const client = new pg.Client({
        ...config,
        application_name: `planwright ${schema} listening`,
        query_timeout: ANSWER_MS,
      });
      let [isOver, isOn] = [false, false];
      const over = () => {
        if (isOver) return;
        isOver = true;
        client.end().catch(() => {});
        if (isOn) broke();
      };
      client.on('error', over);
      client.on('end', over);
      client.on('notification', ({ payload }) => heard(payload ?? ''));
      try {
        await client.connect();
        // Whoever waits has a reason of its own to live.
        (client as unknown as { unref(): void }).unref();
        await client.query(`LISTEN ${quoted(channel)}`);
        isOn = true;
      } catch (error) {
        over();
        throw toStoreError(error, where);
      }
      return () => {
        isOver = true;
        client.end().catch(() => {});
      };
    },
    isOpen: () => isOpen,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      // A pool that ends forgets those who wait for one of its connections.
      await Promise.allSettled(underWay);
      await pool.end();
    },
  };
}

/** Who has waited for a lock looks at what was committed until then: a statement, or a transaction, that saw less could not. */
const looking = String.raw`default_transaction_isolation=read\ committed`;

/**
 * Of a process that is stopped or cut off in the middle of a transaction the server thinks so after a while, and frees what it
 * has locked: else nobody could take over from it.
 */
const forgetful = [
  'idle_in_transaction_session_timeout=20s',
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=2',
];

/** What the address asks for in its own `options` is kept, but for what we need: the last one counts. */
function sessionsOf(url: string, schema: string): { connectionString: string; options: string } {
  const ours = [`search_path=${schema}`, looking, ...forgetful].map((setting) => `-c ${setting}`).join(' ');
  if (!URL.canParse(url)) return { connectionString: url, options: ours };
  const at = new URL(url);
  const theirs = at.searchParams.get('options');
  // In the address it would count instead of ours.
  at.searchParams.delete('options');
  return { connectionString: at.href, options: theirs === null ? ours : `${theirs} ${ours}` };
}

/** Statements are named after their text: each connection reads one only once. */
const names = new Map<string, string>();
const nameOf = (sql: string): string => {
  const name = names.get(sql) ?? `s${names.size}`;
  names.set(sql, name);
  return name;
};

/** Text as PostgreSQL can have it: without zeros, and without half a surrogate pair, which would not come back. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

const storableValue = (value: unknown): unknown =>
  typeof value === 'string'
    ? storable(value)
    : Array.isArray(value) && typeof value[0] === 'string'
      ? value.map(storable)
      : value;

const askingBy = (client: Pool | PoolClient): Queries => ({
  async query<R extends Row>(sql: string, values: readonly unknown[] = []) {
    const { rows } = await client.query<R>({
      name: nameOf(sql),
      text: sql,
      values: values.map(storableValue),
    });
    return rows;
  },
});

/** Whole numbers are numbers here: none comes near to where they are not exact. */
function parserOf(types: { builtins: { INT8: number }; getTypeParser: (...args: never[]) => unknown }) {
  return (oid: number, format?: string) =>
    oid === types.builtins.INT8 ? Number : types.getTypeParser(...([oid, format] as never[]));
}

const LONGEST_PAUSE = 1000;
/** The first tries come quickly; all are jittered, because those that wake together collide again. */
const pause = (tries: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.random() * Math.min(LONGEST_PAUSE, 10 * 2 ** tries));
  });

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function placeOf(url: string): string {
  try {
    const { hostname, port, pathname, searchParams } = new URL(url);
    const host = searchParams.get('host') ?? (hostname || 'localhost');
    return `PostgreSQL at ${host}${port && `:${port}`}${pathname}`;
  } catch {
    return 'PostgreSQL';
  }
}
