import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CheckpointError } from './errors.ts';
import type { GitPlace } from './git.ts';
import type { Manifest } from './manifest.ts';
import { blobOf, commitOf, treeObject, writeObjects } from './objects.ts';
import type { CheckpointNote } from './ports.ts';
import { readObjects } from './read-objects.ts';
import { checkpointRef, listIds } from './repository.ts';
import type { PreparedSnapshot } from './snapshot.ts';
import type { Checkpoint, OnPoint } from './types.ts';

/** A checkpoint as it was written: a commit of a tree with two rows, the workspace's files and the manifest. */
export interface Loaded {
  checkpoint: Checkpoint;
  tree: string;
  manifest: Manifest;
}

const filesName = 'files';
const manifestName = 'manifest';

/**
 * Writes a checkpoint of a snapshot, with what is yet to be written of that. It is there when its ref is; until then its
 * objects are nobody's.
 */
export async function record(
  { gitDir, host, onPoint }: { gitDir: string; host: string; onPoint: OnPoint },
  label: string,
  { tree, manifest, objects, settle }: PreparedSnapshot,
): Promise<Loaded> {
  const at = Date.now();
  const blob = blobOf(JSON.stringify(manifest));
  const whole = treeObject([
    { mode: '40000', name: filesName, oid: tree },
    { mode: '100644', name: manifestName, oid: blob.oid },
  ]);
  const commit = commitOf(whole.oid, JSON.stringify({ label, at, host, nonce: randomUUID() }), at);
  await writeObjects(gitDir, [...objects, blob, whole, commit], {
    path: checkpointRef(gitDir, commit.oid),
    content: `${commit.oid}\n`,
    // Among the refs git would take it for one of them, and miss its objects if we are killed meanwhile.
    temporary: join(gitDir, `new-ref.${process.pid}.tmp`),
    before: () => {
      settle();
      onPoint('written');
    },
  });
  onPoint('recorded');
  return loaded(commit.oid, { label, at, host }, tree, manifest);
}

type Note = Pick<Checkpoint, 'label' | 'at' | 'host'>;

const loaded = (id: string, note: Note, tree: string, manifest: Manifest): Loaded => ({
  checkpoint: { id, ...note, covered: manifest.covered, uncovered: manifest.uncovered },
  tree,
  manifest,
});

function noteIn(commit: Buffer): Note {
  const text = commit.toString();
  const { label, at, host } = JSON.parse(text.slice(text.indexOf('\n\n')));
  return { label, at, host };
}

/** All that are there, oldest first, by one process. */
export async function listNotes(place: GitPlace): Promise<CheckpointNote[]> {
  const ids = listIds(place.gitDir).map(({ id }) => id);
  const commits = await readObjects(place, ids);
  const notes = commits.flatMap((commit) =>
    commit === null ? [] : [{ id: commit.oid, ...noteIn(commit.content) }],
  );
  return notes.toSorted((a, b) => a.at - b.at);
}

export async function load(place: GitPlace, id: string): Promise<Loaded> {
  if (/^[0-9a-f]{40}$/.test(id) && existsSync(checkpointRef(place.gitDir, id))) {
    const names = [id, `${id}:${manifestName}`, `${id}:${filesName}`];
    const [commit, manifest, files] = await readObjects(place, names);
    if (commit && manifest && files) {
      return loaded(id, noteIn(commit.content), files.oid, JSON.parse(manifest.content.toString()));
    }
  }
  throw new CheckpointError(
    'checkpoint-unknown',
    `There is no checkpoint ${id}: it has expired, or never was.`,
  );
}
