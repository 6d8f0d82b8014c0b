import type { Tree } from './tree.ts';

/** One line of a file. `indent` is where its content starts. */
export interface Line {
  start: number;
  indent: number;
  end: number;
}

export interface BlockText {
  tree: Tree;
  /** Index of the first line after the text. */
  next: number;
}

/**
 * The text below a `|` or `|-`, whose first line fixes its indentation. Null for every form that is not
 * plainly that: other headers, unusual blank lines, a file that ends without a line break.
 */
export function readBlockText(
  text: string,
  lines: readonly Line[],
  from: number,
  at: number,
  header: Line,
  indent: number,
): BlockText | null {
  const mark = /^(\|-?)(?: *| +#.*)$/.exec(text.slice(at, header.end))?.[1];
  const first = lines[from];
  if (mark === undefined || first === undefined || !text.endsWith('\n')) return null;
  const column = first.indent;
  if (column <= indent || first.start + column >= first.end) return null;
  const parts: string[] = [];
  let next = from;
  let filled = 0;
  for (; next < lines.length; next++) {
    const line = lines[next]!;
    const blank = line.start + line.indent === line.end;
    if (!blank && line.indent < column) break;
    if (blank && line.indent > column) return null;
    parts.push(blank ? '' : text.slice(line.start + column, line.end));
    if (!blank) filled = parts.length;
  }
  const after = lines[next];
  if (after !== undefined && after.indent > indent) return null;
  const last = lines[from + filled - 1]!;
  const value = parts.slice(0, filled).join('\n') + (mark === '|' ? '\n' : '');
  return { tree: { kind: 'scalar', pos: at, end: last.end, value }, next };
}
