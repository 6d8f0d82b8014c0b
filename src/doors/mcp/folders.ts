import { isAbsolute, resolve } from 'node:path';
import type { RunRow, RunState } from '../../core/contract/index.ts';
import type { App } from '../app/app.ts';
import { AppError } from '../app/errors.ts';
import { findWorkspace } from '../app/places.ts';
import { trustedFolders } from '../app/trust.ts';
import type { Visitor } from './desk.ts';

const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

export const isOpenTo = ({ roots }: Visitor, path: string): boolean =>
  roots.some((root) => isWithin(root, path));

/** The folder that the client means, as a real path: links are followed before anything is compared. */
export function folderFor(caller: Visitor, named: string | undefined): string {
  const [first] = caller.roots;
  if (first === undefined) {
    throw new AppError('not-allowed', 'none of the roots of this client is a folder on this machine');
  }
  if (named === undefined) return first;
  if (named.includes('\0')) throw new AppError('usage', 'a path has no zero bytes');
  const path = isAbsolute(named) ? named : resolve(first, named);
  const outside = new AppError('not-allowed', `${named} is outside of the roots of this client`);
  // What is outside is not even looked for.
  if (!isOpenTo(caller, path)) throw outside;
  const folder = findWorkspace('/', path);
  if (!isOpenTo(caller, folder)) throw outside;
  return folder;
}

/** Nothing is run for a client where no person has said that the folder is trusted. */
export function mustBeTrusted({ places }: App, folder: string): void {
  if (trustedFolders(places).includes(folder)) return;
  throw new AppError(
    'not-allowed',
    `${folder} is not a trusted folder, so nothing is run there for a client. A person can say so, in a terminal: planwright trust ${folder}`,
  );
}

export const noRun = (id: string): AppError =>
  new AppError('no-such-run', `there is no run ${JSON.stringify(id)} in the roots of this client`);

/** A run, whole or by the beginning of its id. What lies outside of the roots is not there. */
export async function runOf(app: App, caller: Visitor, id: string): Promise<{ id: string; state: RunState }> {
  const row = /^[\w-]{4,64}$/.test(id) ? await rowOf(app, id) : null;
  if (row === null || !isOpenTo(caller, row.workspace)) throw noRun(id);
  return { id: row.id, state: await app.runs.state(row.id) };
}

async function rowOf(app: App, id: string): Promise<RunRow | null> {
  const own = await app.streams.row<RunRow>(id);
  if (own !== null) return own.kind === 'run' ? own : null;
  const found = (await app.streams.withPrefix(id, 'run')) as RunRow[];
  return found.length === 1 ? found[0]! : null;
}
