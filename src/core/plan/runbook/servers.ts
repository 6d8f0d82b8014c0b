import { bashCommands } from '../../shell/index.ts';
import { serves } from '../servers.ts';

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
  const port = portIn(text) ?? portAround(around);
  const isSure =
    (last.allWords[0] !== 'timeout' && serves(words)) ||
    DEVELOPS.test(words.join(' ')) ||
    words.includes('--serve');
  const isLikely = port !== null && MAY_SERVE.test(words.join(' '));
  return isSure || isLikely ? { name, port } : null;
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
