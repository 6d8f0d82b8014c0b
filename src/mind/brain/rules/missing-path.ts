import { basename, dirname, join } from 'node:path/posix';
import { isSameEnding } from '../../../core/plan/index.ts';
import type { Simple, WordAt } from '../../../core/shell/index.ts';
import { replaceWords, splice } from '../command/edit.ts';
import { type Mend, type MendingRule, operands, type SeenFailure } from './rule.ts';
import { meant } from './similar.ts';

/** How tools say that a path is not there; the path captured. */
const patterns = [
  /[`'"‘]([^`'"’\n]+)[`'"’](?:: |\)?:? \()?\s*(?:for (?:reading|writing): )?(?:\[Errno 2\] )?No such file or directory/g,
  /(?:\[Errno 2\] )?No such file or directory:? \(?[`'"‘]([^`'"’\n]+)[`'"’]/g,
  /(?:^|: |\*\*\* )([^\s:'"`‘’()]+): (?:\[Errno 2\] |Cannot open: |Cannot stat: |cannot open: |open failed: )?No such file or directory/gim,
  /cannot (?:open|access|stat|find|read) (?:file |directory )?[`'"‘]?([^`'"’\s\n:]+)[`'"’]?/gi,
  /ENOENT: no such file or directory, \w+ '([^'\n]+)'/g,
  /can't (?:open(?: file)?|cd to|read) [`'"‘]?([^`'"’\n:\s]+)/gi,
  /Cannot find module '(\/[^'\n]+|\.[^'\n]+)'/g,
  /unable to open (?:database )?(?:file )?["'`]?([^"'`\s:]+)/gi,
  /(?:file|path|directory|folder) ["'`‘]?([^"'`’\s:]+)["'`’]? (?:does not exist|not found|doesn't exist)/gi,
  /repository '([^'\n]+)' does not exist/g,
  /pathspec '([^'\n]+)' did not match any files/g,
  /no such file or directory: ([^\s]+)/g,
  /directory ([^\s']+) does not exist/gi,
  /file or directory not found: (\S+)/g,
  /Error: (\S+) is not a directory/g,
  /^Could not find '([^'\n]+)'$/gm,
  /chdir to '([^'\n]+)' - No such file/g,
  /Unable to access jarfile (\S+)/g,
  /Couldn't open file (\S+)/g,
  /zip warning: name not matched: (\S+)/g,
  /zip error: Nothing to do! \(try: zip .* -i (\S+)\)/g,
];

export const missingPaths = (output: string): string[] => [
  ...new Set(patterns.flatMap((pattern) => [...output.matchAll(pattern)].map((match) => match[1]!.trim()))),
];

interface Named {
  readonly simple: Simple;
  readonly word: WordAt;
  readonly isTarget: boolean;
}

/** The word of the command that is this path, or one of the folders that it lies in. */
function wordFor(seen: SeenFailure, path: string): Named | null {
  const own = wordOf(seen, path);
  if (own !== null || !path.startsWith('/')) return own;
  for (let above = dirname(path); above !== seen.failure.cwd && above.length > 1; above = dirname(above)) {
    const found = wordOf(seen, above);
    if (found !== null) return found;
  }
  return null;
}

/** The word that is this path, or ends in it where the tool made it absolute. */
function wordOf(seen: SeenFailure, path: string): Named | null {
  for (const simple of seen.tree.simples) {
    const targets = simple.redirects
      .filter(({ operator }) => operator.includes('>'))
      .map(({ target }) => target);
    const sources = simple.redirects.filter(({ operator }) => operator === '<').map(({ target }) => target);
    for (const word of [simple.name, ...simple.args, ...sources, ...targets]) {
      if (!word.literal) continue;
      const plain = word.value.replace(/\/+$/, '');
      const named = path.replace(/\/+$/, '');
      const isIt =
        plain === named ||
        (named.startsWith('/') && plain.length > 2 && named.endsWith(`/${plain.replace(/^\.\//, '')}`));
      if (isIt) return { simple, word, isTarget: targets.includes(word) };
    }
  }
  return null;
}

export const nearestPath: MendingRule = {
  id: 'path-misspelt',
  about: 'A file or folder that the command reads is one slip away from one that exists.',
  async propose(seen) {
    const changes: [WordAt, string][] = [];
    for (const path of missingPaths(seen.output)) {
      const found = wordFor(seen, path);
      if (found === null || found.isTarget || creates(found.simple, found.word)) continue;
      const real =
        (await nearestExisting(seen, found.word.value)) ?? (await fromHere(seen, found.word.value));
      if (real !== null && !changes.some(([word]) => word === found.word)) changes.push([found.word, real]);
    }
    // What deletes or overwrites must name its victim itself.
    if (seen.tree.simples.some((simple) => /^(?:rm|rmdir|shred|unlink|mv|dd|truncate)$/.test(simple.program)))
      return null;
    if (changes.length === 0) return lastName(seen);
    if (changes.length > 3) return null;
    const [word, real] = changes[0]!;
    return {
      modify: replaceWords(seen.tree, changes),
      reasoning: `There is no \`${word.value}\`; \`${real}\` is there.`,
      confidence: 0.87,
    };
  },
};

/** `"$HOME/cofnig.yml"`: what the shell made of the word is said; its last name is changed in the words of the command. */
async function lastName(seen: SeenFailure): Promise<Mend | null> {
  for (const path of missingPaths(seen.output).filter((each) => each.startsWith('/'))) {
    const name = basename(path);
    const words = seen.tree.simples.flatMap((simple) =>
      simple.args.filter((word) => !word.literal && !creates(simple, word) && endsIn(word.text, name)),
    );
    const real = words.length === 1 ? await nearestExisting(seen, path) : null;
    if (real === null || dirname(real) !== dirname(path) || !/^[\w.-]+$/.test(basename(real))) continue;
    const pos = words[0]!.pos + words[0]!.text.lastIndexOf(name);
    return {
      modify: splice(seen.command, [{ pos, end: pos + name.length, text: basename(real) }]),
      reasoning: `There is no \`${name}\`; \`${basename(real)}\` is there.`,
      confidence: 0.85,
    };
  }
  return null;
}

const endsIn = (text: string, name: string): boolean => text.replace(/["']$/, '').endsWith(`/${name}`);

/** Walks down the path; each missing name is exchanged for the one that was surely meant. */
export async function nearestExisting(seen: SeenFailure, path: string): Promise<string | null> {
  if (path.length > 512 || /[*?[\]{}]/.test(path)) return null;
  const parts = path.split('/');
  const real: string[] = [];
  let changed = 0;
  for (const [at, part] of parts.entries()) {
    const sofar = [...real, part].join('/');
    if (part === '' || part === '.' || part === '..' || (await seen.probe.kind(sofar)) !== 'absent') {
      real.push(part);
      continue;
    }
    const folder = real.length === 0 ? '.' : real.join('/') || '/';
    const entries = await seen.probe.entries(folder);
    if (entries === null) return null;
    const found =
      entries.find((entry) => entry.toLowerCase() === part.toLowerCase()) ??
      onlyOne(entries.filter((entry) => isSameEnding(part, entry))) ??
      meant(part, alike(part, entries));
    if (found === null || ++changed > 2) return null;
    real.push(found);
    if (at < parts.length - 1 && (await seen.probe.kind(real.join('/'))) !== 'dir') return null;
  }
  return changed === 0 ? null : real.join('/');
}

const onlyOne = <T>(found: readonly T[]): T | null => (found.length === 1 ? found[0]! : null);

/** Whether a folder of nearly that name exists. */
export async function isSlipOfFolder(seen: SeenFailure, folder: string): Promise<boolean> {
  const near = await nearestExisting(seen, folder);
  return near !== null && (await seen.probe.kind(near)) === 'dir';
}

/** A path of the project written from its top: with a slash before it, or with the folder in which we are already. */
async function fromHere(seen: SeenFailure, path: string): Promise<string | null> {
  const here = basename(seen.failure.cwd ?? '');
  const inner = path.startsWith('/')
    ? path.slice(1)
    : here !== '' && path.startsWith(`${here}/`)
      ? path.slice(here.length + 1)
      : '';
  if (inner === '' || inner.startsWith('/')) return null;
  return ['file', 'dir'].includes((await seen.probe.kind(inner)) ?? '') ? inner : null;
}

/** Another extension is another file; a missing or mistyped one is a slip. */
function alike(part: string, entries: readonly string[]): string[] {
  const extension = /\.[^.]+$/.exec(part)?.[0];
  const stem = extension === undefined ? part : part.slice(0, -extension.length);
  return entries.filter((entry) => {
    if (/\d/.test(part) && entry.replace(/\D/g, '') !== part.replace(/\D/g, '')) return false;
    if (extension === undefined || entry.endsWith(extension)) return true;
    const other = /\.[^.]+$/.exec(entry)?.[0];
    return (
      other !== undefined && entry.slice(0, -other.length) === stem && meant(extension, [other]) !== null
    );
  });
}

/** Whether the command would write what is not there, and does not miss it. */
export function isWritten(seen: SeenFailure, path: string): boolean {
  const found = wordFor(seen, path);
  return found !== null && (found.isTarget || creates(found.simple, found.word));
}

/** Whether the command makes what this word names. */
function creates(simple: Simple, word: WordAt): boolean {
  const last = operands(simple).at(-1);
  if (['mkdir', 'touch', 'tee', 'sqlite3'].includes(simple.program)) return word !== simple.name;
  if (['cp', 'mv', 'ln', 'install', 'rsync', 'scp'].includes(simple.program)) return word === last;
  const at = simple.args.indexOf(word);
  return (
    at > 0 &&
    /^(?:-o|-O|--output|--out|-d|--directory|--output-dir|-P|-C)$/.test(simple.args[at - 1]!.value) &&
    !['git', 'make', 'ninja'].includes(simple.program)
  );
}

/** Folders of what is not meant to be used in its place: copies, samples, leftovers. */
const setAside =
  /^(?:\w+[-_.])?(?:backups?|bak|old|archived?|archives?|attic|legacy|deprecated|trash|tmp|temp|cache|examples?|samples?|demos?|templates?|fixtures?|mocks?|snapshots?|tests?|vendor|third_party)(?:[-_.]\w+)?$/i;

const runsTests = ({ program, args }: Simple): boolean =>
  [program, ...args.map(({ value }) => value)].some((word) =>
    /^(?:pytest|py\.test|unittest|vitest|jest|mocha|ava|rspec|phpunit|bats|--test)$/.test(word),
  );

export const fileElsewhere: MendingRule = {
  id: 'path-one-folder-down',
  about: 'The file that the command reads lies in exactly one folder below.',
  async propose(seen) {
    const found = missingPaths(seen.output)
      .map((path) => wordFor(seen, path))
      .find((named) => named !== null);
    if (found === undefined || found.isTarget || creates(found.simple, found.word)) return null;
    const name = found.word.value.replace(/^\.\//, '');
    if (
      name.includes('/') ||
      !/\.\w+$/.test(name) ||
      /^(?:rm|mv|dd|truncate|shred)$/.test(found.simple.program)
    )
      return null;
    const folders = ((await seen.probe.entries('.')) ?? [])
      .filter((entry) => !entry.startsWith('.') && entry !== 'node_modules')
      .slice(0, 40);
    const places: string[] = [];
    for (const folder of folders)
      if ((await seen.probe.kind(join(folder, name))) === 'file') places.push(join(folder, name));
    // To a program that runs tests, the folder of tests is where they are.
    const isTests = /^tests?$/.test(dirname(places[0] ?? '')) && runsTests(found.simple);
    if (places.length !== 1 || (setAside.test(dirname(places[0]!)) && !isTests)) return null;
    const real = found.word === found.simple.name ? `./${places[0]}` : places[0]!;
    return {
      modify: replaceWords(seen.tree, [[found.word, real]]),
      reasoning: `\`${name}\` is not here but in \`${dirname(places[0]!)}\`.`,
      confidence: 0.72,
    };
  },
};
