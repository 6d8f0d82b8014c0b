import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './errors.ts';
import { writeDurably } from './objects.ts';

/**
 * The private repository, as files: git needs no more to accept a folder as its own.
 *
 *   repo/                     GIT_DIR; `index` has the stat data of the last checkpoint
 *   repo/refs/checkpoints/ID  keeps a checkpoint's objects
 *   repo/refs/saved/ID        keeps what `saveFiles` attached to it
 *   saved/ID.json             what that was
 *   defaults.json             the usual modes (manifest.ts)
 *   scan                      what the last walk saw (scan-state.ts)
 *   lock, pack-lock           see lock.ts
 */
const config = `[core]
	repositoryformatversion = 0
	filemode = true
	symlinks = true
	bare = false
	ignorecase = false
	precomposeunicode = false
	protectHFS = false
	protectNTFS = false
	autocrlf = false
	trustctime = true
	preloadIndex = true
	fsmonitor = false
	untrackedCache = false
	hooksPath = /dev/null
	attributesFile = /dev/null
	quotePath = false
	compression = 1
	fsync = loose-object,pack,pack-metadata
	fsyncMethod = batch
	logAllRefUpdates = false
[index]
	version = 4
	threads = true
[pack]
	compression = 6
	writeBitmaps = false
[gc]
	auto = 0
[maintenance]
	auto = false
`;

/** Stronger than every .gitattributes: bytes go in and come out as they are, and diffs are plain. */
const attributes = '* -text !eol !ident !filter !working-tree-encoding !diff !merge !export-subst\n';

async function ensureFile(path: string, content: string): Promise<void> {
  try {
    if (readFileSync(path, 'utf8') === content) return;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  await writeDurably(path, content);
}

/** Makes the repository where it is missing; repeated, it repairs what a kill left half made. */
export async function ensureRepository(root: string): Promise<string> {
  const gitDir = join(root, 'repo');
  mkdirSync(root, { recursive: true, mode: 0o700 });
  for (const folder of ['objects/info', 'objects/pack', 'refs/checkpoints', 'refs/saved', 'info'])
    mkdirSync(join(gitDir, folder), { recursive: true, mode: 0o700 });
  mkdirSync(join(root, 'saved'), { recursive: true, mode: 0o700 });
  await ensureFile(join(gitDir, 'config'), config);
  await ensureFile(join(gitDir, 'info/attributes'), attributes);
  await ensureFile(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
  return gitDir;
}

/** For people who find the folder and wonder. */
export const noteWorkspace = (root: string, workspace: string): void =>
  writeFileSync(join(root, 'workspace'), `${workspace}\n`, { mode: 0o600 });

export const checkpointRef = (gitDir: string, id: string): string => join(gitDir, 'refs/checkpoints', id);
export const savedRef = (gitDir: string, id: string): string => join(gitDir, 'refs/saved', id);

/** Ids of all checkpoints, oldest first. */
export function listIds(gitDir: string): { id: string; at: number }[] {
  const folder = join(gitDir, 'refs/checkpoints');
  const found = readdirSync(folder)
    .filter((name) => /^[0-9a-f]{40}$/.test(name))
    .map((id) => ({ id, at: statSync(join(folder, id)).mtimeMs }));
  return found.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** Forgets checkpoints. Their objects stay until the next packing. */
export function forget(root: string, gitDir: string, ids: string[]): void {
  for (const id of ids) {
    rmSync(checkpointRef(gitDir, id), { force: true });
    rmSync(join(root, 'saved', `${id}.json`), { force: true });
    rmSync(savedRef(gitDir, id), { force: true });
  }
}
