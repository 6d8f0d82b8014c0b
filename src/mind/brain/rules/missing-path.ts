import { basename, dirname, join } from 'node:path/posix';
import { isSameEnding } from '../../../core/plan/index.ts';
import type { Simple, WordAt } from '../../../core/shell/index.ts';
import { replaceWords } from '../command/edit.ts';
import { type MendingRule, operands, type SeenFailure } from './rule.ts';
import { meant } from './similar.ts';

/** How tools say that a path is not there; the path captured. */
const patterns = [
  /[`'"‘]([^`'"’\n]+)[`'"’](?:: |\)?:? \()?\s*(?:for (?:reading|writing): )?(?:\[Errno 2\] )?No such file or directory/g,
  /(?:\[Errno 2\] )?No such file or directory:? \(?[`'"‘]([^`'"’\n]+)[`'"’]/g,
  /(?:^|: )([^\s:'"`‘’()]+): (?:\[Errno 2\] |Cannot open: |Cannot stat: |cannot open: |open failed: )?No such file or directory/gim,
  /cannot (?:open|access|stat|find|read) (?:file |directory )?[`'"‘]?([^`'"’\s\n:]+)[`'"’]?/gi,
  /ENOENT: no such file or directory, \w+ '([^'\n]+)'/g,
  /can't (?:open file|cd to|read) [`'"‘]?([^`'"’\n:\s]+)/g,
  /Cannot find module '(\/[^'\n]+|\.[^'\n]+)'/g,
  /unable to open (?:database )?(?:file )?["'`]?([^"'`\s:]+)/gi,
  /(?:file|path|directory|folder) ["'`‘]?([^"'`’\s:]+)["'`’]? (?:does not exist|not found|doesn't exist)/gi,
  /repository '([^'\n]+)' does not exist/g,
  /pathspec '([^'\n]+)' did not match any files/g,
  /no such file or directory: ([^\s]+)/g,
  /directory ([^\s']+) does not exist/gi,
];

export const missingPaths = (output: string): string[] => [
  ...new Set(patterns.flatMap((pattern) => [...output.matchAll(pattern)].map((match) => match[1]!.trim()))),
];

/** The word of the command that is this path, or ends in it where the tool made it absolute. */
function wordFor(
  seen: SeenFailure,
  path: string,
): { simple: Simple; word: WordAt; isTarget: boolean } | null {
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
    if (changes.length === 0 || changes.length > 3) return null;
    const [word, real] = changes[0]!;
    // What deletes or overwrites must name its victim itself.
    if (seen.tree.simples.some((simple) => /^(?:rm|rmdir|shred|unlink|mv|dd|truncate)$/.test(simple.program)))
      return null;
    return {
      modify: replaceWords(seen.tree, changes),
      reasoning: `There is no \`${word.value}\`; \`${real}\` is there.`,
      confidence: 0.87,
    };
  },
};

/** Walks down the path; each missing name is exchanged for the one that was surely meant. */
async function nearestExisting(seen: SeenFailure, path: string): Promise<string | null> {
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

/** Whether the command makes what this word names. */
function creates(simple: Simple, word: WordAt): boolean {
  const last = operands(simple).at(-1);
  if (['mkdir', 'touch', 'tee', 'sqlite3'].includes(simple.program)) return word !== simple.name;
  if (['cp', 'mv', 'ln', 'install', 'rsync', 'scp'].includes(simple.program)) return word === last;
  const at = simple.args.indexOf(word);
  return (
    at > 0 &&
    /^(?:-o|-O|--output|--out|-d|--directory|--output-dir|-P|-C)$/.test(simple.args[at - 1]!.value) &&
    simple.program !== 'git' &&
    simple.program !== 'make'
  );
}

/** Folders of what is not meant to be used in its place: copies, samples, leftovers. */
const setAside =
  /^(?:\w+[-_.])?(?:backups?|bak|old|archived?|archives?|attic|legacy|deprecated|trash|tmp|temp|cache|examples?|samples?|demos?|templates?|fixtures?|mocks?|snapshots?|tests?|vendor|third_party)(?:[-_.]\w+)?$/i;

export const fileElsewhere: MendingRule = {
  id: 'path-one-folder-down',
  about: 'The file that the command reads lies in exactly one folder below.',
  async propose(seen) {
    const path = missingPaths(seen.output)[0];
    const found = path === undefined ? null : wordFor(seen, path);
    if (found === null || found.isTarget || creates(found.simple, found.word)) return null;
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
    if (places.length !== 1 || setAside.test(dirname(places[0]!))) return null;
    const real = found.word === found.simple.name ? `./${places[0]}` : places[0]!;
    return {
      modify: replaceWords(seen.tree, [[found.word, real]]),
      reasoning: `\`${name}\` is not here but in \`${dirname(places[0]!)}\`.`,
      confidence: 0.72,
    };
  },
};
