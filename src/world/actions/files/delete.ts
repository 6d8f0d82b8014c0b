import { rename, unlink } from 'node:fs/promises';
import type { ActionOf } from '../../../core/contract/index.ts';
import { locate } from '../../workspace/index.ts';
import { syncFolder } from './atomic.ts';
import type { Prepare } from './change.ts';
import { isUntouched, stateAt } from './file-state.ts';
import { FileProblem, sentenceOf } from './problem.ts';
import { removeTree } from './tree.ts';

/** A folder leaves its place in one go, under a hidden name, and is removed from there. */
export const prepareDelete: Prepare<ActionOf<'delete-path'>> = async (action, { where, temporary }) => {
  const place = locate(where, action.path, { follow: false });
  const { folder, entry } = place;
  try {
    if (place.name === '') throw new FileProblem('the workspace itself is never deleted');
    if (entry.kind === 'absent') throw new FileProblem(`there is nothing at ${place.path}`);
    const before = await stateAt(place.here(), place.path);
    return {
      changes: [{ path: place.path, before, after: 'absent' }],
      sentence: `deleted ${place.path}`,
      close: () => place.close(),
      async apply() {
        if (entry.kind !== 'folder') {
          if (!isUntouched(place))
            throw new FileProblem(`${place.path} was changed by somebody else meanwhile`);
          await unlink(place.here());
          return syncFolder(folder);
        }
        await rename(place.here(), folder.at(temporary));
        await syncFolder(folder);
        try {
          await removeTree({ folder, name: temporary });
        } catch (cause) {
          const left = `${folder.path}/${temporary}`;
          const why = sentenceOf(cause, left);
          throw new FileProblem(`${place.path} was moved to ${left} and could not be removed whole: ${why}`, {
            cause,
            halfway: true,
          });
        }
      },
    };
  } catch (error) {
    place.close();
    throw error;
  }
};
