import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Carried, GitSource, Parcel } from '../../../core/contract/index.ts';
import { sizeText } from '../../../core/contract/told/index.ts';
import { WorktreeError } from '../errors.ts';
import { failed, type Git, openRepository } from '../repository.ts';
import { carryOf } from './folder.ts';
import type { Caching } from './mirror.ts';

/** All parcels of a run together. */
export const MOST_CARRIED = 64 * 1024 * 1024;
const MOST_FOLDERS = 10_000;
const MOST_REFS = 500;
const STAGING_MS = 600_000;

export interface PackedWork {
  parcel: Parcel;
  bytes: Buffer;
}

/**
 * What the folder of a run holds and its source does not, since the last time: files that git ignores too, since the next step may
 * need them; branches; empty folders. Null where nothing has changed. Throws a WorktreeError where it is too much, or cannot be
 * carried.
 */
export async function packWork(
  {
    run,
    source,
    carried,
    folder,
  }: { run: string; source: GitSource; carried: Carried | null; folder: string },
  around: Caching,
): Promise<PackedWork | null> {
  const [{ git }, repository] = await Promise.all([
    carryOf(around.cache, run, source, around),
    openRepository(folder, around),
  ]);
  await git.ask(['add', '--all', '--force', '--', '.'], { timeoutMs: STAGING_MS });
  await noRepositories(git, source.commit);
  const before = carried?.commit ?? source.commit;
  const tree = await git.ask(['write-tree']);
  const [refs, folders] = [await refsOf(repository), emptyFolders(folder)];
  const isSame =
    tree === (await git.ask(['rev-parse', `${before}^{tree}`])) &&
    sameRefs(refs, carried?.refs ?? firstRefs(source)) &&
    folders.join('\n') === (carried?.folders ?? []).join('\n');
  if (isSame) return null;
  const commit = await git.ask(['commit-tree', tree, '-p', before, '-m', 'carried']);
  // Held, or the next one could not be made on top of it.
  await git.ask(['update-ref', 'refs/planwright/carried', commit]);
  const known = [before, source.commit, ...commitsIn(carried?.refs ?? {})].map((id) => `^${id}`);
  const bytes = await packed(
    git,
    [commit, ...commitsIn(refs), ...known],
    MOST_CARRIED - (carried?.bytes ?? 0),
  );
  const name = createHash('sha256').update(bytes).digest('hex');
  return { parcel: { name, bytes: bytes.length, commit, refs, folders }, bytes };
}

/** Throws a WorktreeError where it is more than is carried. */
export async function packed(git: Git, range: readonly string[], most = MOST_CARRIED): Promise<Buffer> {
  const args = ['pack-objects', '--revs', '--stdout', '--quiet', '--thin', '--delta-base-offset'];
  const end = await git.try(args, {
    input: `${range.join('\n')}\n`,
    maxBytes: Math.max(1, most),
    timeoutMs: STAGING_MS,
  });
  if (end.why === 'too-much')
    throw new WorktreeError(
      'too-much',
      `what it changed is more than the ${sizeText(MOST_CARRIED)} that are carried`,
    );
  if (end.code !== 0) throw failed(args, end);
  return end.stdout;
}

/** A repository within the folder has objects and branches of its own, which nobody carries. */
async function noRepositories(git: Git, base: string): Promise<void> {
  const links = (text: string) =>
    text.split('\0').flatMap((line) => (line.startsWith('160000 ') ? [line.split('\t')[1]!] : []));
  const now = links(await git.ask(['ls-files', '-z', '--stage']));
  if (now.length === 0) return;
  const before = new Set(links(await git.ask(['ls-tree', '-r', '-z', base])));
  const within = now.find((path) => !before.has(path) || readdirSync(join(git.folder, path)).length > 0);
  if (within !== undefined)
    throw new WorktreeError('repository-within', `there is a repository in its folder: ${within}`);
}

async function refsOf(git: Git): Promise<Record<string, string>> {
  const listed = await git.ask([
    'for-each-ref',
    '--format=%(refname) %(objectname)',
    'refs/heads',
    'refs/tags',
  ]);
  const refs = listed
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [line.split(' ') as [string, string]]));
  if (refs.length > MOST_REFS) throw new WorktreeError('too-much', `it has ${refs.length} branches and tags`);
  const on = await git.try(['symbolic-ref', '--quiet', 'HEAD']);
  const head = on.code === 0 ? `ref: ${on.stdout.toString().trim()}` : await git.ask(['rev-parse', 'HEAD']);
  return { HEAD: head, ...Object.fromEntries(refs) };
}

const firstRefs = ({ ref, commit }: GitSource): Record<string, string> =>
  ref?.startsWith('refs/heads/') ? { HEAD: `ref: ${ref}`, [ref]: commit } : { HEAD: commit };

const sameRefs = (one: Record<string, string>, other: Readonly<Record<string, string>>): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, at]) => other[name] === at);

const commitsIn = (refs: Readonly<Record<string, string>>): string[] =>
  [...new Set(Object.values(refs))].filter((at) => !at.startsWith('ref: '));

/** Within the folder, in order. No link is followed. */
function emptyFolders(folder: string): string[] {
  const empty: string[] = [];
  const open = [''];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = readdirSync(join(folder, at), { withFileTypes: true });
    if (entries.length === 0 && at !== '') empty.push(at);
    if (empty.length > MOST_FOLDERS) throw new WorktreeError('too-much', 'it has too many empty folders');
    for (const entry of entries)
      if (entry.isDirectory() && !(at === '' && entry.name === '.git')) open.push(join(at, entry.name));
  }
  return empty.toSorted();
}
