interface DiffLine {
  kind: 'hunk' | 'add' | 'del' | 'same';
  text: string;
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
    const kind = line.startsWith('@@')
      ? 'hunk'
      : line.startsWith('+')
        ? 'add'
        : line.startsWith('-')
          ? 'del'
          : 'same';
    if (kind === 'add') file.added += 1;
    if (kind === 'del') file.removed += 1;
    file.lines.push({ kind, text: line });
  }
  return files;
}

/** Where no line names it: both halves of the header are the same path. */
const pathOf = (header: string): string => {
  const both = header.slice('diff --git '.length);
  const half = both.slice(0, (both.length - 1) / 2);
  return half.replace(/^"?a\//, '').replace(/"$/, '');
};
