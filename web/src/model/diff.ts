export interface DiffLine {
  kind: 'file' | 'hunk' | 'add' | 'del' | 'same';
  text: string;
}

/** The lines of a unified diff, told apart. Headers of a file are only that before its first hunk. */
export function diffLines(text: string): DiffLine[] {
  if (text === '') return [];
  let inHunk = false;
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line): DiffLine => {
      if (line.startsWith('@@')) {
        inHunk = true;
        return { kind: 'hunk', text: line };
      }
      if (/^(diff |index |new file|deleted file|old mode|new mode|similarity|rename |Binary )/.test(line)) {
        inHunk = false;
        return { kind: line.startsWith('diff ') ? 'file' : 'hunk', text: line };
      }
      if (!inHunk && /^(---|\+\+\+) /.test(line)) return { kind: 'hunk', text: line };
      if (line.startsWith('+')) return { kind: 'add', text: line };
      if (line.startsWith('-')) return { kind: 'del', text: line };
      return { kind: 'same', text: line };
    });
}
