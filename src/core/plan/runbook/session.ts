import { eachNode, type ParsedScript, parseBash } from '../../shell/index.ts';

/** One command of a session that was copied from a terminal. Lines count from 0 within the block. */
export interface SessionCommand {
  text: string;
  line: number;
  endLine: number;
}

/** `$ ` or `user@host:~/dir$ ` before a command. */
const PROMPT = /^\s*(?:[\w.-]+@[\w.-]+[^$#\n]{0,60})?\$(?: +|$)/;
/** In a block that says it is a session, root's `# ` and other shells' `% ` are prompts too. */
const OTHER_PROMPTS: readonly RegExp[] = [
  /^\s*(?:[\w.-]+@[\w.-]+[^$#\n]{0,60})?#(?: +|$)/,
  /^\s*(?:[\w.-]+@[\w.-]+[^%#\n]{0,60})?%(?: +|$)/,
];

/** Signs that people have made their prompts of; programs print them too, before words that nobody types. */
const FANCY = /^\s*[❯➜»λ](?: +|$)/;
const FANCY_TYPED = /^\s*[❯➜»λ] +[a-z./~]/;

/**
 * `> ` stands before what is typed on Windows, in npm's own output and in some READMEs. As bash it would empty a file of
 * that name: one word that looks like a file is that, and so is a line among others that have no such sign.
 */
const ARROW = /^\s*>(?: +|$)/;

function showsArrows(spoken: readonly string[]): boolean {
  const typed = spoken.filter((line) => !/^\s*#/.test(line));
  const [first = ''] = typed;
  if (!/^\s*> +\S/.test(first)) return false;
  const words = first.replace(ARROW, '').trim().split(/\s+/);
  return words.length > 1
    ? !words.some((word) => word.startsWith('<'))
    : !/[./$"'~]/.test(words[0]!) && typed.every((line) => ARROW.test(line));
}

/**
 * The commands of a block that shows prompts, without their output; null for a block that is a plain script. In a
 * block that says it is a session (`console`) the first line's prompt counts, whichever it is.
 */
export function splitSession(text: string, isSession = false): SessionCommand[] | null {
  const lines = text.split('\n');
  const prompt = promptOf(lines, isSession);
  if (prompt === null) return null;
  const commands: SessionCommand[] = [];
  const indent = indentOf(lines.find((line) => prompt.test(line)) ?? '');
  lines.forEach((line, index) => {
    // Further in, it is an example that a program printed.
    if (!prompt.test(line) || indentOf(line) > indent) return;
    const command = readCommand(lines, index, prompt);
    if (command.text !== '') commands.push(command);
  });
  return commands;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

function promptOf(lines: readonly string[], isSession: boolean): RegExp | null {
  const spoken = lines.filter((line) => line.trim() !== '');
  const first = spoken.find((line) => !/^\s*#/.test(line)) ?? '';
  if (PROMPT.test(first)) return PROMPT;
  if (FANCY_TYPED.test(first)) return FANCY;
  if (showsArrows(spoken)) return ARROW;
  if (/^\s*% +\S/.test(first)) return OTHER_PROMPTS[1]!;
  if (!isSession) return null;
  return OTHER_PROMPTS.find((prompt) => prompt.test(spoken[0] ?? '')) ?? null;
}

/** A command that is still open after this many lines was not meant to be: output follows. */
const MAX_LINES = 300;

/** The command at a prompt, with the lines it needs to be complete; where it never is, its first line. */
function readCommand(lines: readonly string[], index: number, prompt: RegExp): SessionCommand {
  const indent = /^\s*/.exec(lines[index]!)![0];
  const first = lines[index]!.replace(prompt, '').trimEnd();
  let text = first;
  for (let end = index; end < index + MAX_LINES; end++) {
    if (!isIncomplete(text)) return { text, line: index, endLine: end };
    const next = lines[end + 1];
    if (next === undefined || prompt.test(next)) break;
    text = `${text}\n${withoutPrompt(next, indent)}`;
  }
  return { text: first, line: index, endLine: index };
}

/** A shell shows `> ` before further lines, right below its prompt; a `>` further in is a redirection. */
function withoutPrompt(line: string, indent: string): string {
  return line.startsWith(`${indent}>`) ? line.slice(indent.length + 1).replace(/^ /, '') : line;
}

function isIncomplete(text: string): boolean {
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(text)) return true;
  const parsed = parseBash(text);
  if ('why' in parsed) return false;
  return (parsed.script.errors?.length ?? 0) > 0 || hasOpenHereDocument(parsed.script);
}

function hasOpenHereDocument(script: ParsedScript): boolean {
  let open = false;
  eachNode(script, (node) => {
    open ||= node.type === 'HereDoc' && node.closing === undefined;
  });
  return open;
}
