import type { SimpleAction } from '../contract/index.ts';

const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/;

/**
 * What a patch of the `*** Begin Patch` kind does, file by file; null where it is none. It is applied below `folder`, where one
 * is named. Behind a file that is added or deleted the next header may be indented; in one that is updated, a line that begins
 * with a blank is its own.
 */
export function patchActions(text: string, folder?: string): SimpleAction[] | null {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const begin = lines.findIndex((line) => /\*\*\* Begin Patch\s*$/.test(line));
  if (begin < 0) return null;
  const files: { verb: string; path: string; lines: string[] }[] = [];
  for (const line of lines.slice(begin + 1)) {
    const last = files.at(-1);
    const found = header.exec(last?.verb === 'Update' ? line.trimEnd() : line.trim());
    if (found === null) last?.lines.push(line);
    else files.push({ verb: found[1]!, path: below(folder, found[2]!), lines: [] });
  }
  const actions = files.flatMap(({ verb, path, lines: own }) => fileActions(verb, path, own, folder));
  return actions.length === 0 ? null : actions;
}

const below = (folder: string | undefined, path: string): string =>
  folder === undefined || path.startsWith('/') ? path : `${folder}/${path}`;

function fileActions(
  verb: string,
  path: string,
  lines: readonly string[],
  folder: string | undefined,
): SimpleAction[] {
  const put = linesOf(lines, '+');
  if (verb === 'Delete') return [{ kind: 'delete-path', path }];
  if (verb === 'Add') return [{ kind: 'write-file', path, content: put }];
  const old = linesOf(lines, '-');
  const edit: SimpleAction =
    old === '' ? { kind: 'append-file', path, content: put } : { kind: 'edit-file', path, old, new: put };
  const to = lines.map((line) => /^\*\*\* Move to: (.+)$/.exec(line.trimEnd())?.[1]).find(Boolean);
  return to === undefined ? [edit] : [edit, { kind: 'move-path', from: path, to: below(folder, to) }];
}

const linesOf = (lines: readonly string[], mark: string): string =>
  lines
    .filter((line) => line.startsWith(mark))
    .map((line) => line.slice(1))
    .join('\n');
