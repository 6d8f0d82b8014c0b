import { rename } from 'node:fs/promises';
import { sep } from 'node:path';
import type { ActionOf } from '../../../core/contract/index.ts';
import { type LocatedPath, locate, specialError } from '../../workspace/index.ts';
import { putInPlace, syncFolder } from './atomic.ts';
import type { FileContext, Prepare, PreparedChange } from './change.ts';
import { isUntouched, stateAt } from './file-state.ts';
import { FileProblem } from './problem.ts';
import { copyTree, removeTree } from './tree.ts';

/** `to` is the new name itself. A file there is replaced; a folder never is. */
export const prepareCopy: Prepare<ActionOf<'copy-path'>> = (action, context) =>
  withBoth(action, context, async (from, to) => {
    if (from.entry.kind === 'special') throw specialError(from.path, from.entry.stats);
    const [after, before] = [await stateAt(from.here(), from.path), await stateAt(to.here(), to.path)];
    return {
      changes: [{ path: to.path, before, after }],
      sentence: `copied ${from.path} to ${to.path}`,
      async apply(signal) {
        const spot = { folder: to.folder, name: context.temporary };
        await removeTree(spot);
        try {
          await copyTree(from, spot, signal);
          if ((await stateAt(to.folder.at(spot.name), from.path)) !== after)
            throw new FileProblem(`${from.path} was changed while it was copied`);
        } catch (error) {
          await removeTree(spot).catch(() => {});
          throw error;
        }
        await putInPlace(to, spot.name);
      },
    };
  });

export const prepareMove: Prepare<ActionOf<'move-path'>> = (action, context) =>
  withBoth(action, context, async (from, to) => {
    const [state, before] = [await stateAt(from.here(), from.path), await stateAt(to.here(), to.path)];
    return {
      changes: [
        { path: from.path, before: state, after: 'absent' },
        { path: to.path, before, after: state },
      ],
      sentence: `moved ${from.path} to ${to.path}`,
      async apply(signal) {
        for (const place of [from, to])
          if (!isUntouched(place))
            throw new FileProblem(`${place.path} was changed by somebody else meanwhile`);
        try {
          await rename(from.here(), to.here());
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
          await moveAcross(from, to, context.temporary, signal);
        }
        await syncFolder(to.folder);
        await syncFolder(from.folder);
      },
    };
  });

/** To another file system: a copy, then away with the first. */
async function moveAcross(
  from: LocatedPath,
  to: LocatedPath,
  temporary: string,
  signal: AbortSignal,
): Promise<void> {
  const spot = { folder: to.folder, name: temporary };
  try {
    await removeTree(spot);
    await copyTree(from, spot, signal);
  } catch (error) {
    await removeTree(spot).catch(() => {});
    throw error;
  }
  await putInPlace(to, temporary);
  try {
    await removeTree(from);
  } catch (cause) {
    throw new FileProblem(`${to.path} is there, and ${from.path} could not be removed`, {
      cause,
      halfway: true,
    });
  }
}

async function withBoth(
  action: { from: string; to: string },
  { where }: FileContext,
  prepare: (from: LocatedPath, to: LocatedPath) => Promise<Omit<PreparedChange, 'close'>>,
): Promise<PreparedChange> {
  const from = locate(where, action.from, { follow: false });
  let to: LocatedPath | null = null;
  const close = () => {
    from.close();
    to?.close();
  };
  try {
    to = locate(where, action.to, { follow: false });
    if (from.entry.kind === 'absent') throw new FileProblem(`there is nothing at ${from.path}`);
    if (from.name === '') throw new FileProblem('the workspace itself can be neither copied nor moved');
    if (to.entry.kind === 'folder')
      throw new FileProblem(`${to.path} is a folder: say the new name too, or delete it first`);
    if (to.entry.kind === 'special') throw specialError(to.path, to.entry.stats);
    if (to.entry.kind !== 'absent' && from.entry.kind === 'folder')
      throw new FileProblem(`${to.path} is there, and a folder cannot take its place`);
    if (to.path === from.path) throw new FileProblem(`${from.path} is already there`);
    if (to.path.startsWith(from.path + sep))
      throw new FileProblem(`${from.path} cannot go into itself (${to.path})`);
    return { ...(await prepare(from, to)), close };
  } catch (error) {
    close();
    throw error;
  }
}
