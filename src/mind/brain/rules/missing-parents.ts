import { basename, dirname } from 'node:path/posix';
import type { Simple, WordAt } from '../../../core/shell/index.ts';
import { shellWord } from '../../../core/shell/index.ts';
import { insertAfter } from '../command/edit.ts';
import { isSlipOfFolder } from './missing-path.ts';
import { hasFlag, isVerb, type Mend, type MendingRule, operands, type SeenFailure } from './rule.ts';

/** How tools say that they could not make something because its folder is missing. */
const cannotCreate =
  /curl: \(23\)|cannot create (?:directory|regular file|symbolic link|hard link)|cannot touch|failed to create (?:symbolic|hard) link|cannot move .* to|No such file or directory|Failed to open the file|Failed (?:creating|to create) file|unable to open database|directory \S+ does not exist|can't open output|cannot open output file|Could not open|does not exist|not a directory|couldn't open|nonexistent directory|for writing: /i;

export const missingParents: MendingRule = {
  id: 'missing-parents',
  about: 'The folder that the command writes into does not exist: it is made first.',
  async propose(seen) {
    if (!cannotCreate.test(seen.output)) return null;
    for (const simple of seen.tree.simples) {
      for (const { path, isFolder } of written(simple)) {
        if (!path.literal) {
          const proposal = isFolder ? null : madeOf(seen, simple, path);
          if (proposal !== null) return proposal;
          continue;
        }
        const line = lineAbout(seen, path.value) ?? wordless(simple, seen.output);
        if (line === undefined) continue;
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

/** Programs whose -o names what they write. */
const outputOption = 'curl wget gcc g++ cc clang sort rustc go ld pandoc tsc openssl ffmpeg dot jq git'.split(
  ' ',
);

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
  if (simple.program === 'git' && isVerb(simple, 'mv') && rest.length === 3)
    found.push({ path: last!, isFolder: last!.value.endsWith('/') });
  if (simple.program === 'git' && isVerb(simple, 'bundle') && rest[1]?.value === 'create' && rest.length > 2)
    found.push({ path: rest[2]!, isFolder: false });
  if (
    simple.program === 'ar' &&
    /^-?[a-zA-Z]*[rq]/.test(simple.args[0]?.value ?? '') &&
    simple.args[1] !== undefined
  )
    found.push({ path: simple.args[1], isFolder: false });
  if (simple.program === 'sqlite3' && rest[0] !== undefined) found.push({ path: rest[0], isFolder: false });
  for (const [at, arg] of simple.args.entries()) {
    const glued = /^--output(?:-document)?=(.+)$/.exec(arg.value)?.[1];
    if (glued !== undefined) found.push({ path: { ...arg, value: glued }, isFolder: false });
    const value = simple.args[at + 1];
    if (value === undefined) continue;
    if (/^(?:-o|--output|-O|--output-document)$/.test(arg.value) && outputOption.includes(simple.program)) {
      found.push({ path: value, isFolder: false });
    }
    if (simple.program === 'openssl' && /^-(?:out|keyout)$/.test(arg.value))
      found.push({ path: value, isFolder: false });
    if (/^-[a-zA-Z]*f$/.test(arg.value) && simple.program === 'tar' && /c/.test(simple.args[0]?.value ?? ''))
      found.push({ path: value, isFolder: false });
    if (arg.value === '-C' && simple.program === 'tar' && /x/.test(simple.args[0]?.value ?? ''))
      found.push({ path: value, isFolder: true });
    if (arg.value === '-f' && simple.program === 'ssh-keygen') found.push({ path: value, isFolder: false });
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
function lineAbout(seen: SeenFailure, path: string): string | undefined {
  const plain = path.replace(/\/+$/, '');
  if (plain === '' || plain === '.' || plain === '..') return undefined;
  const above = seen.failure.cwd === undefined ? '' : `(?:${RegExp.escape(seen.failure.cwd)}/)?`;
  const named = new RegExp(`(?<![\\w./-])${above}${RegExp.escape(plain)}(?![\\w-])`);
  return seen.output.split('\n').find((line) => cannotCreate.test(line) && named.test(line));
}

/** Programs that say only that they could not write, or what they would have moved; which file, their own words tell. */
const quietOnes: Record<string, RegExp> = {
  curl: /curl: \(23\) [^\n]*/,
  git: /fatal: renaming '[^'\n]+' failed: No such file or directory/,
};

const wordless = (simple: Simple, output: string): string | undefined =>
  Object.hasOwn(quietOnes, simple.program) ? quietOnes[simple.program]!.exec(output)?.[0] : undefined;

async function makeFolder(seen: SeenFailure, simple: Simple, folder: string): Promise<Mend | null> {
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
  if (await isSlipOfFolder(seen, folder)) return null;
  if (await sourceIsMissing(seen, simple)) return null;
  return {
    steps: [{ title: `Make the folder ${folder}`, command: `mkdir -p ${shellWord(folder)}` }],
    reasoning: `The folder \`${folder}\` that ${simple.program} writes into does not exist.`,
    confidence: 0.88,
  };
}

/**
 * `> logs/$(date +%F)/run.log`: the shell says which path it made of the word. Its folder is made in the words of the
 * command, so that it is the same whatever they come to then; one that came to nothing is no folder.
 */
function madeOf(seen: SeenFailure, simple: Simple, { text }: WordAt): Mend | null {
  const at = text.lastIndexOf('/');
  const [folder, name] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || !/^[\w.-]+$/.test(name) || !/^[\w./-]+\/|^[\w.-]+\$/.test(folder)) return null;
  if (/["'\\;|&<>*?[\]]/.test(folder)) return null;
  const said = seen.output.matchAll(/(?:^|: )([^\s:]+): No such file or directory/gm);
  const parts = folder.split(/\$\([^()]*\)|\$\{\w+\}|\$\w+/);
  const shape = new RegExp(
    `^${parts.map((part) => RegExp.escape(part)).join('[\\w.-]+')}/${RegExp.escape(name)}$`,
  );
  if (parts.length < 2 || parts.some((part) => /[$()`]/.test(part))) return null;
  if (![...said].some(([, path]) => shape.test(path!))) return null;
  return {
    steps: [{ title: `Make the folder ${folder}`, command: `mkdir -p ${folder}` }],
    reasoning: `The folder \`${folder}\` that ${simple.program} writes into does not exist.`,
    confidence: 0.86,
  };
}

/** A copy whose source is not there is not helped by a folder. */
async function sourceIsMissing(seen: SeenFailure, simple: Simple): Promise<boolean> {
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

export const mkdirParents: MendingRule = {
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
    // Who makes a folder to hold a lock wants to fail where somebody else holds it.
    if (exists && /lock|mutex|semaphore|\.pid\b|running/i.test(basename(found[1]!))) return null;
    return {
      modify: insertAfter(seen.tree, simple.args.find((arg) => arg.value === '-mkdir') ?? simple.name, '-p'),
      reasoning: exists
        ? `The folder \`${found[1]}\` is there already; with -p that is no failure.`
        : `The folders above \`${found[1]}\` do not exist; -p makes them too.`,
      confidence: 0.91,
    };
  },
};
