import { shellWord } from '../../../core/shell/index.ts';
import { splice } from '../command/edit.ts';
import { missingPaths } from './missing-path.ts';
import type { MendingRule, SeenFailure } from './rule.ts';

const MAX_TOKENS = 40;
const MAX_WORDS = 6;

/** How it ends when the shell has taken a name apart. */
const takenApart =
  /No such file or directory|cannot (?:stat|access|open)|too many arguments|syntax error near unexpected token|unexpected EOF while looking for matching|command not found|is not a directory|extra operand|missing destination/i;

export const unquotedName: MendingRule = {
  id: 'unquoted-name',
  about: 'The name of a file has spaces or signs of the shell in it and stands there without quotes.',
  async propose(seen) {
    if (!takenApart.test(seen.output) || seen.command.includes('\n')) return null;
    // What deletes must name its victim itself.
    if (/^\s*(?:sudo\s+)?(?:rm|rmdir|shred|unlink|dd|truncate)\b/.test(seen.command)) return null;
    const found = await wholeNames(seen);
    if (found.length === 0) return null;
    return {
      modify: splice(
        seen.command,
        found.map(({ pos, end, name }) => ({ pos, end, text: shellWord(name) })),
      ),
      reasoning: `\`${found[0]!.name}\` is one name; without quotes the shell takes it apart.`,
      confidence: 0.92,
    };
  },
};

interface Found {
  readonly pos: number;
  readonly end: number;
  readonly name: string;
}

/** Stretches of the command that are, as they stand, the name of something that exists; the longest first. */
async function wholeNames(seen: SeenFailure): Promise<Found[]> {
  const tokens = [...seen.command.matchAll(/\S+/g)].map((match) => ({
    pos: match.index,
    end: match.index + match[0].length,
  }));
  if (tokens.length > MAX_TOKENS) return [];
  const missing = missingPaths(seen.output);
  const found: Found[] = [];
  for (let first = 1; first < tokens.length; first++) {
    for (let last = Math.min(first + MAX_WORDS - 1, tokens.length - 1); last >= first; last--) {
      const { pos } = tokens[first]!;
      const { end } = tokens[last]!;
      const name = seen.command.slice(pos, end);
      if (!isSuspect(name, missing)) continue;
      if (!['file', 'dir'].includes((await seen.probe.kind(name)) ?? '')) continue;
      found.push({ pos, end, name });
      first = last;
      break;
    }
  }
  return found;
}

/** Something that the shell would take apart, and of which, if only at its blanks, a piece was then missed. */
function isSuspect(name: string, missing: readonly string[]): boolean {
  if (/["\\\n]|^['-]/.test(name) || /[<>|]\s|\s[<>|&]/.test(name)) return false;
  if (/[()&;'$`]/.test(name)) return true;
  if (!/\s/.test(name)) return false;
  return missing.length === 0 || name.split(/\s+/).some((word) => missing.includes(word));
}

export const namesThroughXargs: MendingRule = {
  id: 'xargs-names',
  about:
    'xargs takes names with spaces apart; find and xargs have a sign between names that none of them holds.',
  async propose({ tree, output, probe, command }) {
    const at = tree.simples.findIndex(({ program }) => program === 'find');
    const [find, reader] = tree.simples.slice(at);
    if (at < 0 || find === undefined || reader?.prefixes.includes('xargs') !== true) return null;
    const between = command.slice(find.end, reader.name.pos);
    const xargs = /^\s*\|\s*xargs(?=(?: -[nPrt]\s?\d*| --no-run-if-empty)*\s+$)/.exec(between)?.[0];
    if (xargs === undefined) return null;
    if (find.args.some(({ value }) => /^-(?:print|exec|ok|ls|fprint|delete|o|or)/.test(value))) return null;
    const pieces = missingPaths(output);
    const whole = pieces.map((piece, at) => `${piece} ${pieces[at + 1] ?? ''}`);
    const kinds = await Promise.all(whole.map((name) => probe.kind(name)));
    if (!kinds.includes('file') && !kinds.includes('dir')) return null;
    const last = find.args.at(-1) ?? find.name;
    return {
      modify: splice(command, [
        { pos: last.end, end: last.end, text: ' -print0' },
        { pos: find.end + xargs.length, end: find.end + xargs.length, text: ' -0' },
      ]),
      reasoning: `\`${whole[kinds.findIndex((kind) => kind === 'file' || kind === 'dir')]}\` is one name, and xargs takes it apart.`,
      confidence: 0.9,
    };
  },
};
