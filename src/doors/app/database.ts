import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../world/store/folder.ts';
import { AppError } from './errors.ts';
import { DATABASE_VARIABLE, type Env, type Places } from './places.ts';

export interface DatabaseChoice {
  /** `postgres://…`; null: everything is in the data folder. */
  url: string | null;
  /** The environment without it: no step has any use for the credentials of whoever drives it. */
  env: Env;
}

/**
 * The database that this process is to use, in this order: `--database`, PLANWRIGHT_DATABASE_URL, DATABASE_URL. The last is
 * most often that of the program somebody works on: it counts where this machine has used it with one of the others before.
 */
export function databaseOf(given: Env, places: Places): DatabaseChoice {
  const { [DATABASE_VARIABLE]: ours, ...env } = given;
  if (ours) return { url: checked(ours), env: env['DATABASE_URL'] === ours ? without(env) : env };
  const common = env['DATABASE_URL'];
  return common && isKnown(places, common) ? { url: common, env: without(env) } : { url: null, env };
}

const without = ({ DATABASE_URL: _, ...env }: Env): Env => env;

function checked(url: string): string {
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  throw new AppError('usage', '--database takes the address of a PostgreSQL, as postgres://user@host/name');
}

const knownFile = (places: Places): string => join(places.data, 'databases');
/** Its password is nobody's business. */
const nameOf = (url: string): string => createHash('sha256').update(url).digest('hex');

const isKnown = (places: Places, url: string): boolean =>
  existsSync(knownFile(places)) && readFileSync(knownFile(places), 'utf8').split('\n').includes(nameOf(url));

/** It has been opened: from now on DATABASE_URL may name it too. */
export function rememberDatabase(places: Places, url: string): void {
  if (isKnown(places, url)) return;
  makeFolder(places.data);
  writeFileSync(knownFile(places), `${nameOf(url)}\n`, { flag: 'a', mode: 0o600 });
}
