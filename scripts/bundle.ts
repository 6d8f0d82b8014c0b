import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { foldVersion } from '../src/world/store/index.ts';
import { deferSchemas } from './deferred.ts';
import { valuesWhenUsed } from './when-used.ts';

const root = join(import.meta.dirname, '..');

/** What is entered from outside: by bin/planwright.js, and by the exports of package.json. */
const published = ['src/doors/cli/main.ts', 'src/doors/app/index.ts', 'src/core/contract/index.ts'];

/**
 * Packages that nearly every command needs: read from the bundle they cost a fraction of what finding and reading their
 * hundred files does. All others stay as they are installed, and are loaded when they are used.
 */
const taken = ['zod', 'yaml', 'unbash', '@noble/hashes'];
const isTaken = (id: string) => taken.some((name) => id === name || id.startsWith(`${name}/`));

/** The version of the fold is that of the sources: it is counted here, once, and put in place of what counts it. */
const knownFold = {
  name: 'known-fold',
  load: (id: string) =>
    id.endsWith(join('src', 'world', 'store', 'fold-version.ts'))
      ? `export const foldVersion = () => ${JSON.stringify(foldVersion())};`
      : null,
};

/**
 * What is entered from outside is passed through, and not itself an entry: whoever within wants a part of it would else
 * load all that it offers.
 */
const asVestibules = {
  name: 'vestibules',
  resolveId: (id: string) => (id.startsWith('\0') ? id : null),
  load: (id: string) => (id.startsWith(`\0${root}`) ? `export * from ${JSON.stringify(id.slice(1))};` : null),
};

/**
 * A text that needs one byte a character is read, and compared with what was kept when it was compiled, in less time. An escape
 * means the same wherever a character may stand, but in the raw text of a template, which nothing here reads.
 */
const inAscii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The words of the program are one file, and those of its API and of tasks, whose schemas few commands need, others. */
const groups = [
  { name: 'schemas', test: /[\\/]node_modules[\\/]zod[\\/]/, priority: 4 },
  { name: 'api', test: /[\\/]core[\\/]contract[\\/]api[\\/]/, priority: 1 },
  { name: 'tasks', test: /[\\/]core[\\/]contract[\\/]tasks[\\/]/, priority: 3 },
  {
    name: 'contract',
    test: /[\\/]core[\\/]contract[\\/](?!told[\\/]|api[\\/]|tasks[\\/]|index)/,
    priority: 2,
  },
];

/**
 * Compiles src/ into `dist`, as few files as its dynamic imports allow, each holding what is loaded together. Files lie
 * as deep as their sources do, because some find what comes with the package from where they are. The entries are paths
 * in the checkout. Returns the files that it was made of.
 */
export async function bundle(dist: string, entries: readonly string[] = published): Promise<string[]> {
  const parts = [
    await bundled(dist, entries, { chunks: 'doors/parts' }),
    ...(entries === published
      ? [await bundled(dist, [hook], { chunks: 'doors/guard/parts', plugins: [withoutSchemas] })]
      : []),
  ];
  if (entries === published) await asScripts(join(dist, 'doors/guard'));
  const modules = parts.flat();
  writeFileSync(join(dist, 'LICENSES.txt'), licencesOf(modules));
  return modules;
}

/** What an agent's hook waits for. A bundle of its own: it holds nothing that others need and it does not. */
const hook = 'src/doors/guard/main.ts';

/** It hardly parses anything, and schemas are built when they are read: what builds them is loaded then. */
const withoutSchemas = {
  name: 'without-schemas',
  resolveId: (id: string) => (id === 'zod' ? '\0zod' : null),
  load: (id: string) => (id === '\0zod' ? loadedWhenRead : null),
};

const loadedWhenRead = `
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
export const z = new Proxy({}, { get: (_, name) => require('zod').z[name] });
`;

/**
 * The same for bin/hook.cjs: files that are an object of functions, one for each part, in the manner of CommonJS; main.cjs has
 * all that is loaded whatever is asked, and what is loaded sometimes has files of its own. Each is named by what it holds in its
 * first line. Of what was bundled, and not at once: what reads the sources cannot write it so.
 */
async function asScripts(folder: string): Promise<void> {
  const made = await rolldown({
    input: join(folder, 'main.js'),
    platform: 'node',
    external: /^[^./]/,
    plugins: [valuesWhenUsed],
  });
  const { output } = await made.generate({
    format: 'cjs',
    entryFileNames: 'main.cjs',
    chunkFileNames: 'parts/[name]-[hash].cjs',
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await made.close();
  for (const old of globSync('{main.js,parts/*.js}', { cwd: folder })) rmSync(join(folder, old));
  const chunks = output.filter((file) => file.type === 'chunk');
  const always = new Set(['main.cjs']);
  for (const name of always)
    for (const needed of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) always.add(needed);
  const asPart = ({ fileName, code }: OutputChunk) =>
    `${JSON.stringify(basename(fileName))}: function (exports, require, __filename) {'use strict';${inAscii(code)}\n}`;
  const write = (fileName: string, parts: readonly OutputChunk[]) => {
    const text = `({\n${parts.map(asPart).join(',\n')}\n})\n`;
    const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    writeFileSync(join(folder, fileName), `//${name}\n${text}`);
  };
  const [first, others] = [
    chunks.filter(({ fileName }) => always.has(fileName)),
    chunks.filter(({ fileName }) => !always.has(fileName)),
  ];
  write('main.cjs', first);
  for (const chunk of others) write(chunk.fileName, [chunk]);
}

async function bundled(
  dist: string,
  entries: readonly string[],
  { chunks, plugins = [] }: { chunks: string; plugins?: readonly Plugin[] },
): Promise<string[]> {
  const nameOf = (file: string) => file.replace(/^src\//, '').replace(/\.ts$/, '');
  const made = await rolldown({
    input: Object.fromEntries(entries.map((file) => [nameOf(file), `\0${join(root, file)}`])),
    platform: 'node',
    plugins: [knownFold, ...plugins, asVestibules, deferSchemas],
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !isTaken(id),
    treeshake: {
      moduleSideEffects: [{ test: /[\\/]src[\\/](core|world|mind|doors)[\\/]/, sideEffects: false }],
    },
  });
  const { output } = await made.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${chunks}/[name]-[hash].js`,
    ...(plugins.length > 0 ? {} : { codeSplitting: { groups } }),
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await made.close();
  for (const file of output)
    if (file.type === 'chunk') writeFileSync(join(dist, file.fileName), inAscii(file.code));
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/** Of the packages that the bundle holds parts of: their licences ask to be passed on with them. */
function licencesOf(modules: string[]): string {
  const within = `${sep}node_modules${sep}`;
  const folders = modules.flatMap((id) => {
    const name = id.split(within).at(-1);
    const isOf = taken.find((known) => name?.startsWith(`${known}${sep}`));
    return id.includes(within) && isOf ? [id.slice(0, id.lastIndexOf(within)) + within + isOf] : [];
  });
  return [...new Set(folders)]
    .toSorted()
    .map((folder) => {
      const [file] = globSync('LICENSE*', { cwd: folder });
      if (file === undefined) throw new Error(`${folder} has no licence to pass on`);
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
    })
    .join('\n---\n\n');
}
