import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../world/store/folder.ts';
import { databaseOf } from '../app/database.ts';
import { DATABASE_VARIABLE, type Env, findPlaces, HANDED_VARIABLE } from '../app/places.ts';
import type { Context } from './context.ts';

/**
 * The environment and the command line that a process was started with can be read by every process of the same user, steps
 * among them. What of it opens something is handed over in a file, and the process begins anew without it, as the same process:
 *
 *   started with a secret ──a file for its owner──▶ execve ──read and removed──▶ in memory alone
 *
 * Returns where there is nothing to hide, and where the system knows no such thing.
 */
export function conceal(args: readonly string[], { env }: Context, secrets: readonly string[]): void {
  const { execve } = process;
  if (env !== process.env || execve === undefined) return;
  const places = findPlaces(env);
  const given = databaseIn(args);
  const { url } = databaseOf(given === null ? env : { ...env, [DATABASE_VARIABLE]: given }, places);
  const hidden: Record<string, string> = {};
  for (const name of secrets) if (env[name]) hidden[name] = env[name];
  if (Object.keys(hidden).length === 0 && (url === null || !hasPassword(url))) return;
  if (url !== null) hidden[DATABASE_VARIABLE] = url;
  const left = Object.entries(env).filter(([name, value]) => !(name in hidden) && value !== url);
  makeFolder(places.data);
  const file = join(places.data, `handed-${process.pid}-${randomBytes(8).toString('hex')}`);
  writeFileSync(file, JSON.stringify(hidden), { mode: 0o600, flag: 'wx' });
  const [program, script] = process.argv;
  execve(
    program!,
    [program!, ...process.execArgv, script!, ...(url === null ? args : withoutDatabase(args))],
    {
      ...(Object.fromEntries(left) as Record<string, string>),
      [HANDED_VARIABLE]: file,
    },
  );
}

/** The environment with what the process before this one has left for it. */
export function takeHanded(env: Env, file: string): Env {
  const { [HANDED_VARIABLE]: _, ...own } = env;
  const handed = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  rmSync(file);
  delete process.env[HANDED_VARIABLE];
  return { ...own, ...handed };
}

/** As the arguments are read: the last one holds, and what is behind `--` is no option. */
function databaseIn(args: readonly string[]): string | null {
  let found: string | null = null;
  for (const [at, arg] of optionsOf(args).entries()) {
    if (arg === '--database') found = args[at + 1] ?? null;
    else if (arg.startsWith('--database=')) found = arg.slice('--database='.length);
  }
  return found;
}

function withoutDatabase(args: readonly string[]): string[] {
  const options = optionsOf(args);
  const isOurs = (at: number) => options[at] === '--database' || options[at - 1] === '--database';
  const kept = options.filter((arg, at) => !isOurs(at) && !arg.startsWith('--database='));
  return [...kept, ...args.slice(options.length)];
}

const optionsOf = (args: readonly string[]): readonly string[] =>
  args.includes('--') ? args.slice(0, args.indexOf('--')) : args;

function hasPassword(url: string): boolean {
  try {
    const { password, searchParams } = new URL(url);
    return password !== '' || searchParams.has('password');
  } catch {
    // Whatever it is, it is not for others.
    return true;
  }
}
