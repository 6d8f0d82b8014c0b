import { isBuiltin, parseWhole } from '../../shell/index.ts';

/** What a line of a block looks like: something that was typed, something that was printed, or either. */
type Look = 'typed' | 'printed' | 'either';

/** Programs that lines of pages begin with. Only used where nothing else says that a block is commands. */
const PROGRAMS = new Set(
  (
    'apk apt apt-get autoreconf awk aws az bower brew bun bundle cargo cat chmod chown clang cmake composer conda cp curl ' +
    'deno df diff dnf docker docker-compose du find flask gcc gem gh git go gradle grep gunzip gzip head helm hg ' +
    'install java javac jq kubectl less ln ls make man meson mkdir mkdocs mv mvn mypy nano ninja nix-env node npm npx nvm ' +
    'openssl pacman pip pip3 pipenv pipx pkg pnpm podman poetry ps psql pwd py.test pytest python python3 rails rake redis-cli rm rmdir ' +
    'rsync ruby rustup scp sed sh snap sort ssh sudo svn systemctl tail tar tee terraform touch tox tsc uniq unzip uv vcpkg vi ' +
    'vim wc wget xcode-select yarn yum zip zsh zypper'
  ).split(' '),
);

const PRINTED: readonly RegExp[] = [
  // Signs that programs print and nobody types.
  /^\s*[^\s\p{ASCII}]/u,
  // A sentence, or the beginning of one.
  /^\s*[A-Z][a-z]+(?:'[a-z]+)?(?: [\w./'"-]+)* (?:is|are|was|has|to|the|of|with|on|in|and|for|from|up|by|as|at)\b/,
  /^\s*[A-Z][\w-]*(?: [\w-]+){0,4}:(?:\s|$)/,
  /^\s*[a-z][\w-]*(?: [\w-]+){1,3}:(?:\s*$| [\w"'<])/,
  /^\s*(?:error|warning|fatal|note|info|debug|hint|usage)\b\s?(?:\[[^\]]*\])?:/i,
  /^\s*npm (?:ERR!|WARN|notice)/,
  /^\s*[a-z]+:\/\/\S+\s*$/,
  /^\s*(?:[#=.*-]{8,}|%\s)/,
  /^\s*\d+(?:[.,:]\d+)*(?:%|\s|$)/,
  /^\s*Traceback \(most recent call last\)/,
  /^\s*at \S+ \(.*\)$/,
];

/** Three columns or more, and nothing that only a command has. */
const isTable = (line: string): boolean =>
  /^\s*\S+(?:(?: {2,}|\t+)\S+){2,}\s*$/.test(line) && !/(?:^|\s)-|[=|<>;&"'`\\]/.test(line);

const wordOf = (line: string): string =>
  line
    .trim()
    .replace(/^(?:[A-Za-z_]\w*=\S*\s+)+/, '')
    .replace(/^sudo\s+(?:-\S+\s+)*/, '')
    .split(/[\s;|&]/, 1)[0] ?? '';

export function lookOf(line: string): Look {
  if (isTable(line) || PRINTED.some((pattern) => pattern.test(line))) return 'printed';
  const word = wordOf(line);
  if (/^(?:\.{0,2}|~)\/[\w.-]/.test(word) || /^[A-Za-z_]\w*=/.test(word)) return 'typed';
  return PROGRAMS.has(word) || isBuiltin(word) ? 'typed' : 'either';
}

/** The lines on which commands of a text begin; all that say something, where it cannot be read. */
function beginnings(text: string): { line: number; text: string }[] {
  const lines = text.split('\n');
  const script = parseWhole(text);
  const at =
    script === null
      ? spoken(lines)
      : linesAt(
          lines,
          script.commands.map(({ pos }) => pos),
        );
  return at.map((line) => ({ line, text: lines[line]! }));
}

const spoken = (lines: readonly string[]): number[] =>
  lines.flatMap((line, index) => (line.trim() === '' || /^\s*#/.test(line) ? [] : [index]));

/** The lines of these positions, which are in their order; each line once. */
function linesAt(lines: readonly string[], positions: readonly number[]): number[] {
  const found: number[] = [];
  let line = 0;
  let end = lines[0]!.length;
  for (const pos of positions) {
    while (pos > end) end += 1 + lines[++line]!.length;
    if (found.at(-1) !== line) found.push(line);
  }
  return found;
}

/** Every command of it looks typed, and there is one. */
export const looksTyped = (text: string): boolean => {
  const begun = beginnings(text);
  return (
    begun.length > 0 && parseWhole(text) !== null && begun.every((each) => lookOf(each.text) === 'typed')
  );
};

/** Nothing of it looks typed, and at least half of it looks printed. */
export function looksPrinted(text: string): boolean {
  const looks = beginnings(text).map((each) => lookOf(each.text));
  const printed = looks.filter((look) => look === 'printed').length;
  return printed > 0 && !looks.includes('typed') && printed * 2 >= looks.length;
}

/**
 * A text without the output that stands below its commands, and how many lines that were. What stands in quotes, in a
 * here-document or behind `\` is no line of its own. Where something typed follows what looks printed, it is left as it is.
 */
export function withoutOutput(text: string): { text: string; left: number } {
  const lines = text.split('\n');
  const begun = beginnings(text);
  const first = begun.findIndex((each) => lookOf(each.text) === 'printed');
  if (first < 1 || begun.slice(0, first).some((each) => lookOf(each.text) !== 'typed'))
    return { text, left: 0 };
  if (begun.slice(first).some((each) => lookOf(each.text) === 'typed')) return { text, left: 0 };
  const kept = lines.slice(0, begun[first]!.line).join('\n').trimEnd();
  return parseWhole(kept) === null
    ? { text, left: 0 }
    : { text: kept, left: lines.length - begun[first]!.line };
}
