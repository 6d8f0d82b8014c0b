import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActionOf } from '../../../core/contract/index.ts';
import { type HeldFolder, locate } from '../../workspace/index.ts';
import { syncFolder } from './atomic.ts';
import type { Prepare } from './change.ts';
import { FileProblem } from './problem.ts';

/** A folder, with those above it that are missing. One that is there is fine. */
export const prepareCreateDir: Prepare<ActionOf<'create-dir'>> = async (action, { where }) => {
  const place = locate(where, action.path, { follow: true, partial: true });
  const close = () => place.close();
  if (place.entry.kind === 'folder')
    return { changes: [], sentence: `${place.path} is already there`, close };
  if (place.entry.kind !== 'absent') {
    close();
    throw new FileProblem(`${place.path} is there, and is no folder`);
  }
  const names = [place.name, ...place.rest];
  const paths = names.map((_, at) => join(place.folder.path, ...names.slice(0, at + 1)));
  return {
    changes: paths.map((path) => ({ path, before: 'absent', after: 'dir' })),
    sentence: `made the folder ${paths.at(-1)}`,
    close,
    async apply() {
      const opened: HeldFolder[] = [];
      try {
        let folder = place.folder;
        for (const name of names) {
          await mkdir(folder.at(name)).catch((error: NodeJS.ErrnoException) => {
            if (error.code !== 'EEXIST') throw error;
          });
          await syncFolder(folder);
          folder = folder.open(name);
          opened.push(folder);
        }
      } finally {
        for (const folder of opened) folder.close();
      }
    },
  };
};
