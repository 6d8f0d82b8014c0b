import { dirname, join } from 'node:path/posix';
import { insertAfter, replaceWords, shellWord } from '../command/edit.ts';
import type { Simple, WordAt } from '../command/tree.ts';
import { hasFlag, operands, type Proposal, type Rule, type Seen } from './rule.ts';
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
  /pathspec '([^'\n]+)' did not match any files/g,
  /no such file or directory: ([^\s]+)/g,
  /directory ([^\s']+) does not exist/gi,
];

export const missingPaths = (output: string): string[] => [
  ...new Set(patterns.flatMap((pattern) => [...output.matchAll(pattern)].map((match) => match[1]!.trim()))),
];

/** The word of the command that is this path, or ends in it where the tool made it absolute. */
function wordFor(seen: Seen, path: string): { simple: Simple; word: WordAt; isTarget: boolean } | null {
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

export const nearestPath: Rule = {
  id: 'path-misspelt',
  about: 'A file or folder that the command reads is one slip away from one that exists.',
  async propose(seen) {
    const changes: [WordAt, string][] = [];
    for (const path of missingPaths(seen.output)) {
      const found = wordFor(seen, path);
      if (found === null || found.isTarget || creates(found.simple, found.word)) continue;
      const real = await nearestExisting(seen, found.word.value);
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
async function nearestExisting(seen: Seen, path: string): Promise<string | null> {
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
      meant(part, alike(part, entries));
    if (found === null || ++changed > 2) return null;
    real.push(found);
    if (at < parts.length - 1 && (await seen.probe.kind(real.join('/'))) !== 'dir') return null;
  }
  return changed === 0 ? null : real.join('/');
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

/** How tools say that they could not make something because its folder is missing. */
const cannotCreate =
  /cannot create (?:directory|regular file|symbolic link|hard link)|cannot touch|failed to create (?:symbolic|hard) link|cannot move .* to|No such file or directory|Failed to open the file|Failed (?:creating|to create) file|unable to open database|directory \S+ does not exist|can't open output|cannot open output file|Could not open|does not exist|not a directory|couldn't open|nonexistent directory/i;

export const missingParents: Rule = {
  id: 'missing-parents',
  about: 'The folder that the command writes into does not exist: it is made first.',
  async propose(seen) {
    if (!cannotCreate.test(seen.output)) return null;
    for (const simple of seen.tree.simples) {
      for (const { path, isFolder } of written(simple)) {
        const line = lineAbout(seen, path.value);
        if (line === undefined || !path.literal) continue;
        // ln says so of a link whose own name ends in a slash; a folder above it would not help.
        if (simple.program === 'ln' && /\/['’]/.test(line)) continue;
        const isTarget = /target (?:directory )?['‘"`]|is not a directory|directory \S+ does not exist/.test(
          line,
        );
        const folder = isFolder || isTarget ? path.value.replace(/\/+$/, '') : dirname(path.value);
        const proposal = await makeFolder(seen, simple, folder);
        if (proposal !== null) return proposal;
      }
    }
    return null;
  },
};

/** What a command would write, as far as its own words say. */
function written(simple: Simple): { path: WordAt; isFolder: boolean }[] {
  const found = simple.redirects
    .filter(({ operator }) => ['>', '>>', '>|', '&>', '&>>'].includes(operator))
    .map(({ target }) => ({ path: target, isFolder: false }));
  const last = operands(simple).at(-1);
  const rest = operands(simple);
  if (['touch', 'tee'].includes(simple.program))
    found.push(...rest.map((path) => ({ path, isFolder: false })));
  if (['cp', 'mv', 'ln', 'install'].includes(simple.program) && rest.length > 1 && last !== undefined) {
    const isFolder = (last.value.endsWith('/') && simple.program !== 'ln') || rest.length > 2;
    if (!isProse(rest) && !last.value.endsWith('/.')) found.push({ path: last, isFolder });
    const t = simple.args.findIndex((arg) => arg.value === '-t');
    if (t >= 0 && simple.args[t + 1] !== undefined) found.push({ path: simple.args[t + 1]!, isFolder: true });
  }
  if (simple.program === 'sqlite3' && rest[0] !== undefined) found.push({ path: rest[0], isFolder: false });
  for (const [at, arg] of simple.args.entries()) {
    const value = simple.args[at + 1];
    if (value === undefined) continue;
    if (
      /^(?:-o|--output|-O|--output-document)$/.test(arg.value) &&
      [
        'curl',
        'wget',
        'gcc',
        'g++',
        'cc',
        'clang',
        'sort',
        'rustc',
        'go',
        'ld',
        'pandoc',
        'tsc',
        'openssl',
        'ffmpeg',
        'dot',
        'jq',
      ].includes(simple.program)
    ) {
      found.push({ path: value, isFolder: false });
    }
    if (simple.program === 'openssl' && /^-(?:out|keyout)$/.test(arg.value))
      found.push({ path: value, isFolder: false });
    if (/^-[a-zA-Z]*f$/.test(arg.value) && simple.program === 'tar' && /c/.test(simple.args[0]?.value ?? ''))
      found.push({ path: value, isFolder: false });
    if (arg.value === '-C' && simple.program === 'tar' && /x/.test(simple.args[0]?.value ?? ''))
      found.push({ path: value, isFolder: true });
    if (arg.value === '-d' && simple.program === 'unzip') found.push({ path: value, isFolder: true });
  }
  if (
    simple.program === 'tar' &&
    /^-?[a-z]*c[a-z]*f$/.test(simple.args[0]?.value ?? '') &&
    simple.args[1] !== undefined
  ) {
    found.push({ path: simple.args[1], isFolder: false });
  }
  if (simple.program === 'zip' && rest[0] !== undefined) found.push({ path: rest[0], isFolder: false });
  return found;
}

/** Words without anything that paths have in them: somebody explains the command behind it. */
const isProse = (words: readonly WordAt[]): boolean =>
  words.filter(({ value }) => /^[A-Za-z]+[.,]?$/.test(value)).length > 4;

/** The line of the message that is about this path. */
function lineAbout(seen: Seen, path: string): string | undefined {
  const plain = path.replace(/\/+$/, '');
  if (plain === '' || plain === '.' || plain === '..') return undefined;
  const named = new RegExp(`(?<![\\w./-])${plain.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`);
  return seen.output.split('\n').find((line) => cannotCreate.test(line) && named.test(line));
}

async function makeFolder(seen: Seen, simple: Simple, folder: string): Promise<Proposal | null> {
  if (
    folder === '.' ||
    folder === '/' ||
    folder === '' ||
    folder === '..' ||
    /^\/(?:tmp|dev|proc|sys|etc)$/.test(folder)
  )
    return null;
  if (['file', 'dir', 'other'].includes((await seen.probe.kind(folder)) ?? 'absent')) return null;
  if (
    seen.tree.simples.some(
      ({ program, args }) => program === 'mkdir' && args.some((arg) => arg.value === folder),
    )
  )
    return null;
  // A folder that is one slip from one that exists is a slip, not a wish for a new one.
  const near = await nearestExisting(seen, folder);
  if (near !== null) return null;
  if (await sourceIsMissing(seen, simple)) return null;
  return {
    steps: [{ title: `Make the folder ${folder}`, command: `mkdir -p ${shellWord(folder)}` }],
    reasoning: `The folder \`${folder}\` that ${simple.program} writes into does not exist.`,
    confidence: 0.88,
  };
}

/** A copy whose source is not there is not helped by a folder. */
async function sourceIsMissing(seen: Seen, simple: Simple): Promise<boolean> {
  if (!['cp', 'mv', 'ln', 'install'].includes(simple.program)) return false;
  const sources = operands(simple).slice(0, -1);
  const unread = [...seen.output.matchAll(/cannot stat ['‘]?([^'’\n]+)/g)].map((match) => match[1]!);
  if (sources.some((word) => unread.includes(word.value))) return true;
  if (simple.program === 'ln') return false;
  const kinds = await Promise.all(
    sources.filter((word) => word.literal).map((word) => seen.probe.kind(word.value)),
  );
  return kinds.includes('absent');
}

export const mkdirParents: Rule = {
  id: 'mkdir-parents',
  about: 'mkdir needs -p to make the folders above, and does not mind with it that the folder is there.',
  async propose(seen) {
    const simple = seen.tree.simples.find(
      ({ program, args }) => program === 'mkdir' || args.some((arg) => arg.value === '-mkdir'),
    );
    if (
      simple === undefined ||
      hasFlag(simple, '-p', '--parents') ||
      simple.args.some((arg) => /^-\w*p/.test(arg.value))
    )
      return null;
    const found =
      /mkdir:? (?:cannot create directory |can't create directory )?[‘'"`]?([^’'"`\n]+?)[’'"`]?: (No such file or directory|File exists)/.exec(
        seen.output,
      );
    if (
      found === null ||
      !operands(simple).some(
        (word) =>
          word.value.replace(/\/+$/, '') === found[1]!.replace(/\/+$/, '') ||
          word.value.startsWith(`${found[1]!.replace(/\/+$/, '')}/`),
      )
    )
      return null;
    const exists = found[2] === 'File exists';
    if (exists && (await seen.probe.kind(found[1]!)) === 'file') return null;
    return {
      modify: insertAfter(seen.tree, simple.args.find((arg) => arg.value === '-mkdir') ?? simple.name, '-p'),
      reasoning: exists
        ? `The folder \`${found[1]}\` is there already; with -p that is no failure.`
        : `The folders above \`${found[1]}\` do not exist; -p makes them too.`,
      confidence: 0.91,
    };
  },
};

export const fileElsewhere: Rule = {
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
    if (places.length !== 1) return null;
    const real = found.word === found.simple.name ? `./${places[0]}` : places[0]!;
    return {
      modify: replaceWords(seen.tree, [[found.word, real]]),
      reasoning: `\`${name}\` is not here but in \`${dirname(places[0]!)}\`.`,
      confidence: 0.72,
    };
  },
};
