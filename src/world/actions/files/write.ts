import { access, constants } from 'node:fs/promises';
import type { ActionOf } from '../../../core/contract/index.ts';
import { type LocatedPath, locate, specialError } from '../../workspace/index.ts';
import { replaceFile } from './atomic.ts';
import type { FileContext, Prepare, PreparedChange } from './change.ts';
import { readWhole, stateAt, stateOfBytes } from './file-state.ts';
import { FileProblem } from './problem.ts';

/** What is appended to or edited is read and written as a whole. */
const WHOLE_BYTES = 64 * 1024 * 1024;

export const prepareWrite: Prepare<ActionOf<'write-file'>> = (action, context) =>
  prepareContent(action.path, context, async (place) => {
    const content = Buffer.from(action.content);
    return { content, sentence: `wrote ${bytes(content.length)} to ${place.path}` };
  });

export const prepareAppend: Prepare<ActionOf<'append-file'>> = (action, context) =>
  prepareContent(action.path, context, async (place) => {
    const added = Buffer.from(action.content);
    const before = place.entry.kind === 'absent' ? Buffer.alloc(0) : await contentOf(place);
    const sentence = `added ${bytes(added.length)} to ${place.path}`;
    return { content: Buffer.concat([before, added]), sentence };
  });

export const prepareEdit: Prepare<ActionOf<'edit-file'>> = (action, context) =>
  prepareContent(action.path, context, async (place) => {
    if (place.entry.kind === 'absent') throw new FileProblem(`there is no file ${place.path} to edit`);
    const before = await contentOf(place);
    const old = Buffer.from(action.old);
    const at = before.indexOf(old);
    if (at === -1) throw new FileProblem(`${place.path} does not contain ${quoted(action.old)}`);
    const again = before.indexOf(old, at + 1);
    if (again !== -1) {
      const lines = `lines ${lineOf(before, at)} and ${lineOf(before, again)}`;
      throw new FileProblem(
        `${place.path} contains ${quoted(action.old)} more than once (${lines}): say more of what is around it`,
      );
    }
    const rest = before.subarray(at + old.length);
    const content = Buffer.concat([before.subarray(0, at), Buffer.from(action.new), rest]);
    return { content, sentence: `edited ${place.path} at line ${lineOf(before, at)}` };
  });

/** What is to become of the file at a path, whole. */
export async function prepareContent(
  path: string,
  { where, temporary }: FileContext,
  make: (place: LocatedPath) => Promise<{ content: Buffer; sentence: string }>,
): Promise<PreparedChange> {
  const place = locate(where, path, { follow: true });
  try {
    if (place.entry.kind === 'folder') throw new FileProblem(`${place.path} is a folder`);
    if (place.entry.kind === 'special') throw specialError(place.path, place.entry.stats);
    // A new file would take the place of one that may not be written: the folder alone would have to agree.
    if (place.entry.kind === 'file') await access(place.here(), constants.W_OK);
    const { content, sentence } = await make(place);
    const before = await stateAt(place.here(), place.path);
    const after = stateOfBytes(content);
    const close = () => place.close();
    if (before === after) return { changes: [], sentence: `${place.path} is already so`, close };
    return {
      changes: [{ path: place.path, before, after }],
      sentence,
      apply: () => replaceFile(place, content, temporary),
      close,
    };
  } catch (error) {
    place.close();
    throw error;
  }
}

async function contentOf(place: LocatedPath): Promise<Buffer> {
  const content = await readWhole(place.here(), place.path, WHOLE_BYTES);
  if (content !== null) return content;
  throw new FileProblem(`${place.path} is larger than 64 MB: change it with a command`);
}

/** As text; what is none cannot be edited as such. */
export async function wholeText(place: LocatedPath): Promise<string> {
  const content = await contentOf(place);
  const text = content.toString();
  if (!Buffer.from(text).equals(content)) throw new FileProblem(`${place.path} is no text`);
  return text;
}

const bytes = (count: number): string => (count === 1 ? '1 byte' : `${count} bytes`);
const quoted = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
const lineOf = (content: Buffer, at: number): number => {
  let line = 1;
  for (let from = content.indexOf(10); from !== -1 && from < at; from = content.indexOf(10, from + 1))
    line += 1;
  return line;
};
