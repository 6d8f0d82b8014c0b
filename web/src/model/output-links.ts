/** A stretch of output: plain, an address of the web, or a place in a file. */
export type OutputPart =
  | { text: string; kind: 'text' }
  | { text: string; kind: 'url' }
  | { text: string; kind: 'file'; path: string; line: number; column: number | null };

/** What comes out of compilers, linters and tests. Without a folder before it, only these are taken for files: `host:80` is none. */
const sources =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|go|rs|c|h|cc|cpp|hpp|cs|java|kt|scala|swift|php|pl|lua|sh|bash|zsh|ps1|sql|md|txt|json|ya?ml|toml|ini|cfg|conf|xml|html?|css|scss|tf|proto|lock|log|mk|gradle|ex|exs|erl|hs|ml|clj|dart|r|jl|zig|nix)$/i;

// Plain characters only: what turns letters round or hides them is part of no link.
const url = /https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w./%~?&=#@+,;:!-]*)?/.source;
const path = /(?:~|\.{1,2})?\/?[\w@+-][\w@+.-]*(?:\/[\w@+.-]+)*\.\w{1,10}/.source;
const place = /(?::(\d{1,7})(?::(\d{1,5}))?|\((\d{1,7})(?:,(\d{1,5}))?\)|", line (\d{1,7}))/.source;
const found = new RegExp(`(${url})|(?<![\\w/.-])(${path})${place}`, 'g');

/** Output in parts, in order; together they are the text. */
export function outputParts(text: string): OutputPart[] {
  if (!text.includes('://') && !/[:(,]\s?(?:line )?\d/.test(text)) return [{ text, kind: 'text' }];
  const parts: OutputPart[] = [];
  let at = 0;
  const push = (part: OutputPart, from: number) => {
    if (from > at) parts.push({ text: text.slice(at, from), kind: 'text' });
    parts.push(part);
    at = from + part.text.length;
  };
  for (const match of text.matchAll(found)) {
    const [whole, address, file = '', ...numbers] = match;
    if (address !== undefined) push({ text: address.replace(/[.,;:!?]+$/, ''), kind: 'url' }, match.index);
    else if (file.includes('/') || sources.test(file)) {
      const [line, column] = numbers.filter((number) => number !== undefined).map(Number);
      push({ text: whole, kind: 'file', path: file, line: line ?? 1, column: column ?? null }, match.index);
    }
  }
  if (at < text.length) parts.push({ text: text.slice(at), kind: 'text' });
  return parts;
}

/** How a file is opened: its place is copied, or handed to an editor that has an address for that. */
export const editors = { copy: null, vscode: 'vscode', cursor: 'cursor', zed: 'zed', idea: 'idea' } as const;
export type Editor = keyof typeof editors;

interface Place {
  path: string;
  line: number;
  column: number | null;
}

/** The whole path of a file that was named in a folder. */
export function fileAt(path: string, folder: string): string {
  const whole = path.startsWith('/') ? path : `${folder}/${path}`;
  const parts: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Null where its place is copied instead, or where it lies in a home that this page does not know. */
export function editorAddress(editor: Editor, { path, line, column }: Place, folder: string): string | null {
  const scheme = editors[editor];
  if (scheme === null || path.startsWith('~')) return null;
  const file = encodeURI(fileAt(path, folder));
  if (scheme === 'idea') return `idea://open?file=${encodeURIComponent(fileAt(path, folder))}&line=${line}`;
  return `${scheme}://file${file}:${line}${column === null ? '' : `:${column}`}`;
}
