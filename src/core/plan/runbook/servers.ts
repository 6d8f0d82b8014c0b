import { bashCommands, parseWhole } from '../../shell/index.ts';
import { portOf, serves } from '../servers.ts';
import type { SessionCommand } from './session.ts';

/** A program that answers at a port until it is ended. */
export interface PageServer {
  name: string;
  /** Where the command or the page says which. */
  port: number | null;
}

/** By the habit of all its projects this goes on. */
const DEVELOPS = /^(?:npm run|yarn(?: run)?|pnpm(?: run)?|bun run) dev$/;
/** What may be a server, and is one where the page names its port. */
const MAY_SERVE =
  /^(?:npm|yarn|pnpm|bun) (?:run )?(?:start|dev|serve|server|preview|examples?)$|^(?:node|deno|python3?|ruby|go run|cargo run|java -jar)\b/;
const RUNNERS = /^(?:npx|bunx|pnpx)$/;
const PREPARES = new Set(['cd', 'export', 'source', '.']);

/** The server that a text starts and waits for; null where it starts none, or does more than that. */
export function serverIn(text: string, around: string): PageServer | null {
  const { commands, error } = bashCommands(text);
  const last = commands.at(-1);
  if (error !== null || last === undefined || last.background || !last.literal) return null;
  if (commands.slice(0, -1).some(({ words }) => !PREPARES.has(words[0] ?? ''))) return null;
  if (/\|/.test(text) || last.words.some((word) => /^--(?:help|version)$|^-[hV]$/.test(word))) return null;
  const words = RUNNERS.test(last.words[0] ?? '')
    ? last.words.slice(1).filter((word) => word !== '-y')
    : last.words;
  const name = (words[0] ?? '').replace(/^.*\//, '').replace(/@.*$/, '');
  const port = portOf(words) ?? portIn(text) ?? portAround(around);
  const isSure =
    (last.allWords[0] !== 'timeout' && serves(words)) ||
    DEVELOPS.test(words.join(' ')) ||
    words.includes('--serve');
  const isLikely = port !== null && MAY_SERVE.test(words.join(' '));
  return isSure || isLikely ? { name, port } : null;
}

/**
 * A block that starts one server and does more than that: what stands before it, the server, what stands after it. The
 * first would never end, and what follows would never begin. `around` is said of the last command, as nothing tells whose it
 * is among several.
 */
export function asideServer(block: SessionCommand, around: string): SessionCommand[] {
  const { text } = block;
  if (serverIn(text, around) !== null) return [block];
  const starts = (parseWhole(text)?.commands ?? []).map(({ pos, end, command }) => {
    const isChain = command.type === 'AndOr' && command.operators.every((operator) => operator === '&&');
    const from = isChain ? (command.commands.at(-1)?.pos ?? pos) : pos;
    // What is remarked on the same line belongs to it.
    return { from, end: end + (/^[ \t]*#[^\n]*/.exec(text.slice(end))?.[0].length ?? 0) };
  });
  const found = starts.filter(({ from, end }, at) => {
    const near = at === starts.length - 1 ? around : '';
    return serverIn(text.slice(from, end), near) !== null;
  });
  const [server, another] = found;
  if (server === undefined || another !== undefined) return [block];
  const remarks = /(?:^|\n)((?:[ \t]*#[^\n]*\n)+)$/.exec(text.slice(0, server.from))?.[1]?.length ?? 0;
  const from = server.from - remarks;
  return [
    pieceOf(text, 0, from),
    pieceOf(text, from, server.end),
    pieceOf(text, server.end, text.length),
  ].filter((piece) => piece.text !== '');
}

/** A part of a text without what joined it to the others. */
function pieceOf(text: string, from: number, to: number): SessionCommand {
  const part = text.slice(from, to);
  const begun = part.replace(/^(?:[\s;]|\\\n)+/, '');
  const kept = begun.replace(/(?:[\s;]|&&|\\(?=\n))+$/, '');
  const at = from + part.length - begun.length;
  const lineAt = (index: number) => text.slice(0, index).split('\n').length - 1;
  return { text: kept, line: lineAt(at), endLine: lineAt(at + kept.length) };
}

const numbered = (found: RegExpExecArray | null): number | null => {
  const port = Number(found?.[1]);
  return port >= 80 && port <= 65_535 ? port : null;
};

const portIn = (text: string) =>
  numbered(/(?:--port[= ]|(?<=\s)-[pl][= ]?|(?<=\s)\S*:)(\d{2,5})\b/.exec(text));
const portAround = (text: string) =>
  numbered(
    /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0):(\d{2,5})\b/.exec(text) ??
      /\bport:?\s+:?(\d{2,5})\b/i.exec(text),
  );
