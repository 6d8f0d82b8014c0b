import type { ActionOf } from '../../../core/contract/index.ts';
import { locate, specialError } from '../../workspace/index.ts';
import type { Prepare } from './change.ts';
import { readWhole } from './file-state.ts';
import { FileProblem } from './problem.ts';

const READ_BYTES = 1024 * 1024;

/** The text of a file, without the newlines at its end, as `$(cat file)` gives it. */
export const prepareRead: Prepare<ActionOf<'read-file'>> = async (action, { where }) => {
  const place = locate(where, action.path, { follow: true });
  try {
    if (place.entry.kind === 'absent') throw new FileProblem(`there is no file ${place.path}`);
    if (place.entry.kind === 'folder') throw new FileProblem(`${place.path} is a folder`);
    if (place.entry.kind === 'special') throw specialError(place.path, place.entry.stats);
    const content = await readWhole(place.here(), place.path, READ_BYTES);
    if (content === null) throw new FileProblem(`${place.path} is larger than 1 MB, too large for a value`);
    const value = textOf(content).replace(/\n+$/, '');
    return {
      changes: [],
      sentence: `read ${content.length} bytes from ${place.path}`,
      captured: { key: action.as, value },
      close() {},
    };
  } finally {
    place.close();
  }

  function textOf(content: Buffer): string {
    try {
      if (!content.includes(0))
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    } catch {
      // Told below.
    }
    throw new FileProblem(`${place.path} is no text, and only text can be a value`);
  }
};
