import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { sharedServer } from './postgres-server.ts';

export { hasPostgres } from './postgres-server.ts';

/** A schema of the shared server, with nothing in it yet. */
export interface FreshSchema {
  url: string;
  schema: string;
  /** Beside the program: as somebody who looks into its tables. */
  query<R>(sql: string, values?: unknown[]): Promise<R[]>;
  /** Removes it with all that is in it. */
  drop(): Promise<void>;
}

/** Starts the server where no test before this one has. */
export async function freshSchema(): Promise<FreshSchema> {
  const { folder, owner } = inject('postgres');
  const url = await sharedServer(folder, owner);
  const schema = `t${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` });
  await client.connect();
  return {
    url,
    schema,
    query: async (sql, values = []) => (await client.query(sql, values)).rows,
    async drop() {
      await client.query(`SET client_min_messages = warning; DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.end();
    },
  };
}

/** A database of its own on the shared server, for whole programs. */
export interface FreshDatabase {
  url: string;
  /** Beside the program. */
  query<R>(sql: string): Promise<R[]>;
  /** Whoever is still connected to it is cut off. */
  drop(): Promise<void>;
}

export async function freshDatabase(): Promise<FreshDatabase> {
  const { folder, owner } = inject('postgres');
  const shared = await sharedServer(folder, owner);
  const name = `d${randomUUID().replaceAll('-', '')}`;
  const ask = async (connectionString: string, sql: string) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    return (await client.query(sql).finally(() => client.end())).rows;
  };
  await ask(shared, `CREATE DATABASE ${name}`);
  const url = shared.replace('/postgres?', `/${name}?`);
  return {
    url,
    query: (sql) => ask(url, sql),
    drop: async () => void (await ask(shared, `DROP DATABASE ${name} WITH (FORCE)`)),
  };
}
