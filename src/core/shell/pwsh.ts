type Span = readonly [number, number];

/** One command of a PowerShell text: its words without quotes, and where it stands. */
export interface PwshCommand {
  readonly name: string;
  readonly words: readonly string[];
  readonly text: string;
  readonly span: Span;
  /** True where the command before it feeds this one. */
  readonly piped: boolean;
  /** The name is a variable, an expression or a string after `&` or `.`. */
  readonly dynamic: boolean;
}

/**
 * Splits PowerShell into commands at `;`, `|`, `&&`, `||`, newlines, braces and parentheses, outside quotes.
 * It does not understand the language; it finds every place where a command may start.
 */
export function pwshCommands(source: string): { commands: PwshCommand[]; balanced: boolean } {
  const text = source
    .replace(/`\r?\n/g, '  ')
    .replace(/<#[\s\S]*?#>/g, (comment) => ' '.repeat(comment.length));
  const commands: PwshCommand[] = [];
  let start = 0;
  let piped = false;
  let balanced = true;
  const end = (at: number, next: boolean): void => {
    const command = readCommand(text.slice(start, at), start, piped);
    if (command) commands.push(command);
    start = at + 1;
    piped = next;
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '`') i++;
    else if (char === "'" || char === '"') {
      const close = closing(text, i, char);
      if (close === -1) balanced = false;
      if (char === '"') commands.push(...embedded(text, i, close === -1 ? text.length : close));
      i = close === -1 ? text.length : close;
    } else if (char === '#' && /[\s;|{(]|^$/.test(text[i - 1] ?? '')) {
      end(i, false);
      const line = text.indexOf('\n', i);
      i = line === -1 ? text.length : line;
      start = i + 1;
    } else if (char === '|' && text[i + 1] !== '|' && text[i - 1] !== '|') end(i, true);
    else if (char !== undefined && /[;|\n{}()]/.test(char)) end(i, false);
    else if (char === '&' && text[i + 1] === '&') {
      end(i, false);
      i++;
      start = i + 1;
    }
  }
  end(text.length, false);
  return { commands, balanced };
}

/** Commands inside a double-quoted string: `"$( … )"`. */
function embedded(text: string, from: number, to: number): PwshCommand[] {
  const at = text.indexOf('$(', from);
  if (at === -1 || at >= to) return [];
  return pwshCommands(text.slice(at + 2, to)).commands.map((command) => ({
    ...command,
    span: [from, to] as const,
  }));
}

function closing(text: string, open: number, quote: string): number {
  for (let i = open + 1; i < text.length; i++) {
    if (text[i] === '`' && quote === '"') i++;
    else if (text[i] === quote) {
      if (text[i + 1] !== quote) return i;
      i++;
    }
  }
  return -1;
}

function readCommand(text: string, offset: number, piped: boolean): PwshCommand | undefined {
  const lead = text.length - text.trimStart().length;
  let body = text.trim();
  if (body === '') return undefined;
  const span: Span = [offset + lead, offset + lead + body.length];
  const assigned = /^(?:\[[\w.[\]]+\]\s*)?\$[\w:]+\s*[-+*/]?=\s*/.exec(body);
  if (assigned) body = body.slice(assigned[0].length);
  body = body.replace(/^(?:return|else|do|try|finally)\s+(?=\S)/i, '');
  const called = /^[&.]\s*(?=["'$(\w\\/.])/.exec(body);
  if (called) body = body.slice(called[0].length);
  const computed = /^[&.]$/.test(body);
  const words = splitWords(body);
  const first = words[0] ?? '';
  const dynamic =
    computed ||
    (called !== null && /^[$("]/.test(body) && /[$(]|"\s*[+,-]/.test(body.slice(0, first.length + 6)));
  return {
    name: first
      .replace(/^.*[\\/]/, '')
      .replace(/\.exe$/i, '')
      .toLowerCase(),
    words,
    text: body,
    span,
    piped,
    dynamic,
  };
}

function splitWords(text: string): string[] {
  const words = text.match(/(?:"(?:[^"`]|`.)*"|'(?:[^']|'')*'|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replace(/`(.)/g, '$1').replace(/["']/g, ''));
}

/** Functions that the script defines. */
export function pwshFunctions(text: string): Set<string> {
  const found = [...text.matchAll(/\b(?:function|filter)\s+([\w:-]+)/gi)];
  return new Set(found.map((match) => match[1]!.toLowerCase()));
}

/** The script with the insides of strings and comments replaced by spaces, its length kept. */
export function blankStrings(text: string): string {
  const pattern =
    /`[\s\S]|<#[\s\S]*?(?:#>|$)|(?<=^|[\s;|&(){}])#[^\n]*|@'\r?\n[\s\S]*?(?:\n'@|$)|@"\r?\n[\s\S]*?(?:\n"@|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"`]|`[\s\S]|"")*(?:"|$)/g;
  return text.replace(pattern, (found) => {
    if (found.startsWith('`')) return found;
    const isComment = found[0] === '#' || found[0] === '<';
    if (isComment) return found.replace(/[^\n]/g, ' ');
    const quote = found[0] === '@' ? found[1]! : found[0]!;
    return quote + '_'.repeat(found.length - 1);
  });
}
