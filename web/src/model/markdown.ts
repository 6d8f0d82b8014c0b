/**
 * The lines of a runbook told apart, for its editor: what is a heading, what is in a fence and so may be run, what is
 * front matter. One token a line; within a line of text, code between backticks.
 */
export interface MarkdownState {
  /** What opened the fence that we are in; null outside. */
  fence: string | null;
  /** `before`: front matter may still begin. */
  front: 'before' | 'in' | 'over';
}

export const markdownStart = (): MarkdownState => ({ fence: null, front: 'before' });

/** What reads a line piece by piece, as an editor gives it. */
interface LineReader {
  sol(): boolean;
  match(pattern: RegExp): unknown;
  skipToEnd(): void;
  next(): unknown;
}

/** The name of what stands at the reader, which is moved behind it; null for plain text. */
export function markdownToken(line: LineReader, state: MarkdownState): string | null {
  if (line.sol()) {
    const whole = wholeLine(line, state);
    if (whole !== undefined) return whole;
  }
  if (line.match(/^`[^`]+`/)) return 'monospace';
  if (line.match(/^\*\*[^*]+\*\*/)) return 'strong';
  if (line.match(/^!?\[[^\]]*\]\([^)]*\)/)) return 'link';
  line.next();
  line.match(/^[^`*![]+/);
  return null;
}

function wholeLine(line: LineReader, state: MarkdownState): string | null | undefined {
  const isFirst = state.front === 'before';
  if (isFirst) state.front = 'over';
  if (state.front === 'in' || (isFirst && line.match(/^---\s*$/))) {
    state.front = isFirst || !line.match(/^---\s*$/) ? 'in' : 'over';
    line.skipToEnd();
    return 'meta';
  }
  if (state.fence !== null) {
    if (line.match(new RegExp(`^\\s{0,3}${state.fence}+\\s*$`))) state.fence = null;
    else {
      line.skipToEnd();
      return 'monospace';
    }
    return 'comment';
  }
  const fence = line.match(/^\s{0,3}(`{3,}|~{3,})/) as RegExpMatchArray | null;
  if (fence) {
    state.fence = fence[1]!;
    line.skipToEnd();
    return 'comment';
  }
  if (line.match(/^#{1,6}\s/)) {
    line.skipToEnd();
    return 'heading';
  }
  if (line.match(/^>\s?/)) return 'quote';
  if (line.match(/^\s*([-*+]|\d+[.)])\s/)) return 'list';
  return undefined;
}
