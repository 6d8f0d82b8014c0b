import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitPlace, git } from './git.ts';

/** Fewer loose objects than this are moved as they are: starting git would cost more. */
export const fewObjects = 24;

/**
 * New objects go to a folder of their own first, unsynced, and then into the object store all together: as one pack,
 * which takes two syncs where loose objects take one each. What a kill leaves in it is removed by the next one.
 */
export function openQuarantine(root: string): string {
  for (const name of readdirSync(root))
    if (name.startsWith('new-objects-')) rmSync(join(root, name), { recursive: true, force: true });
  const path = mkdtempSync(join(root, 'new-objects-'));
  mkdirSync(join(path, 'pack'));
  return path;
}

async function moveDurably(from: string, to: string): Promise<void> {
  const file = await open(from, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(from, to);
}

/** Resolves when every object of the quarantine is in the store and on the disk. */
export async function adoptObjects(place: GitPlace, quarantine: string): Promise<void> {
  const store = join(place.gitDir, 'objects');
  const packs = readdirSync(join(quarantine, 'pack'));
  // An index names its pack: the pack comes first.
  for (const end of ['.pack', '.idx'])
    for (const name of packs.filter((each) => each.endsWith(end)))
      await moveDurably(join(quarantine, 'pack', name), join(store, 'pack', name));

  const folders = readdirSync(quarantine).filter((name) => name.length === 2);
  const loose = folders.flatMap((folder) =>
    readdirSync(join(quarantine, folder)).map((name) => [folder, name]),
  );
  if (loose.length <= fewObjects)
    await Promise.all(
      loose.map(async ([folder = '', name = '']) => {
        mkdirSync(join(store, folder), { recursive: true });
        const target = join(store, folder, name);
        if (!existsSync(target)) await moveDurably(join(quarantine, folder, name), target);
      }),
    );
  else
    await git(place, ['pack-objects', '-q', join(store, 'pack/pack')], {
      input: loose.map(([folder, name]) => `${folder}${name}\n`).join(''),
      alternate: quarantine,
    });
  rmSync(quarantine, { recursive: true, force: true });
}
