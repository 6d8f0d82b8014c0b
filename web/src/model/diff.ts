import type { TaskDiff } from '@tasks';

export interface DiffLine {
  kind: 'hunk' | 'add' | 'del' | 'same';
  text: string;
  /** Its number in the file as it is now, where that is known and it is there. */
  line?: number;
}

/** What changed in one file, without the headers that only programs read. */
export interface DiffFile {
  path: string;
  added: number;
  removed: number;
  lines: readonly DiffLine[];
}

/** A unified diff, file by file. */
export function diffFiles(text: string): DiffFile[] {
  const files: (DiffFile & { lines: DiffLine[] })[] = [];
  let inHunk = false;
  for (const line of text === '' ? [] : text.replace(/\n$/, '').split('\n')) {
    if (line.startsWith('diff --git ')) {
      inHunk = false;
      files.push({ path: pathOf(line), added: 0, removed: 0, lines: [] });
      continue;
    }
    const file = files.at(-1);
    if (file === undefined) continue;
    if (line.startsWith('@@')) inHunk = true;
    else if (!inHunk) {
      const named = line.match(/^(?:---|\+\+\+) "?[ab]\/(.*?)"?\t?$/)?.[1];
      if (named !== undefined) file.path = named;
      if (line.startsWith('Binary ')) file.lines.push({ kind: 'hunk', text: 'Not text: it is not shown.' });
      if (/^(old|new) mode /.test(line)) file.lines.push({ kind: 'hunk', text: line });
      continue;
    }
    const kind = kindOf(line);
    if (kind === 'add') file.added += 1;
    if (kind === 'del') file.removed += 1;
    file.lines.push({ kind, text: line });
  }
  return files;
}

const kindOf = (line: string): DiffLine['kind'] =>
  line.startsWith('@@') ? 'hunk' : line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : 'same';

/** What a branch changes in one file, with the numbers that its lines have now. */
export function branchFile({ path, added, removed, hunks, isCut }: TaskDiff['files'][number]): DiffFile {
  const lines = hunks.flatMap((hunk) => [{ kind: 'hunk' as const, text: hunk.header }, ...numbered(hunk)]);
  const note = added === null ? 'Not text: it is not shown.' : isCut ? 'There is more of it.' : null;
  if (note !== null) lines.push({ kind: 'hunk', text: note });
  return { path, added: added ?? 0, removed: removed ?? 0, lines };
}

function numbered({ header, lines }: TaskDiff['files'][number]['hunks'][number]): DiffLine[] {
  let next = Number(/\+(\d+)/.exec(header)?.[1] ?? 1);
  return lines.map((text) => {
    const kind = text.startsWith('\\') ? 'hunk' : kindOf(text);
    if (kind === 'hunk' || kind === 'del') return { kind, text };
    next += 1;
    return { kind, text, line: next - 1 };
  });
}

/** Where no line names it: both halves of the header are the same path. */
const pathOf = (header: string): string => {
  const both = header.slice('diff --git '.length);
  const half = both.slice(0, (both.length - 1) / 2);
  return half.replace(/^"?a\//, '').replace(/"$/, '');
};
