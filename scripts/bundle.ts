import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { foldVersion } from '../src/world/store/index.ts';
import { asScripts } from './as-scripts.ts';
import { deferSchemas } from './deferred.ts';
import { inAscii } from './in-ascii.ts';
import { valuesWhenUsed } from './when-used.ts';

const root = join(import.meta.dirname, '..');

/** What other programs import: the exports of package.json. */
const exported = ['src/doors/app/index.ts', 'src/core/contract/client.ts'];

/** What bin/planwright.js starts, and what an agent's hook waits for: bundles of their own, which bin/load.cjs loads. */
const cli = 'src/doors/cli/main.ts';
const hook = 'src/doors/guard/main.ts';

/**
 * What is loaded together is one file: what a verdict needs, what those need besides who look at runs, and what a run needs besides. By the modules that
 * they import when they are needed; `test/house/package.test.ts` says when one is missing here.
 */
const together = {
  judge: ['src/doors/cli/commands/risk.ts'],
  look: ['src/doors/cli/commands/runs.ts', 'src/doors/app/meant.ts'],
  run: ['src/doors/cli/commands/run.ts', 'src/doors/app/make-runs.ts', 'src/doors/app/performer.ts'],
};

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

/** The words of the program are one file, and those of its API and of tasks, whose schemas few commands need, others. */
const groups = [
  { name: 'schemas', test: /[\\/]node_modules[\\/]zod[\\/]/, priority: 4 },
  { name: 'api', test: /[\\/]core[\\/]contract[\\/]api[\\/]/, priority: 1 },
  { name: 'tasks', test: /[\\/]core[\\/]contract[\\/]tasks[\\/]/, priority: 3 },
  {
    name: 'contract',
    test: /[\\/]core[\\/]contract[\\/](?!told[\\/]|api[\\/]|tasks[\\/]|index|client)/,
    priority: 2,
  },
];

/**
 * Compiles src/ into `dist`, as few files as its dynamic imports allow, each holding what is loaded together. Files lie
 * as deep as their sources do, because some find what comes with the package from where they are. The entries are paths
 * in the checkout; without them it is what is published. Returns the files that it was made of.
 */
export async function bundle(dist: string, entries?: readonly string[]): Promise<string[]> {
  const library = await bundled(dist, entries ?? exported, { chunks: 'doors/parts' });
  const modules = [...library.keys()];
  if (entries === undefined) {
    const program = await bundled(dist, [cli], { chunks: 'doors/cli/parts' });
    const files = Object.entries(together).map(([name, sources]) => ({
      name,
      entered: sources.map((source) => fileOf(program, source)),
    }));
    await asScripts(join(dist, 'doors/cli'), { files, plugins: [valuesWhenUsed] });
    const asked = await bundled(dist, [hook], { chunks: 'doors/guard/parts', plugins: [withoutSchemas] });
    await asScripts(join(dist, 'doors/guard'), { plugins: [valuesWhenUsed] });
    modules.push(...program.keys(), ...asked.keys());
  }
  writeFileSync(join(dist, 'LICENSES.txt'), licencesOf(modules));
  return modules;
}

function fileOf(made: ReadonlyMap<string, string>, source: string): string {
  const file = made.get(join(root, source));
  if (file === undefined) throw new Error(`${source} is in no file of the bundle`);
  return file;
}

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

/** Answers with the modules that it was made of, and the file that each is in. */
async function bundled(
  dist: string,
  entries: readonly string[],
  { chunks, plugins = [] }: { chunks: string; plugins?: readonly Plugin[] },
): Promise<Map<string, string>> {
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
  const files = new Map<string, string>();
  for (const file of output) {
    if (file.type !== 'chunk') continue;
    writeFileSync(join(dist, file.fileName), inAscii(file.code));
    for (const id of file.moduleIds) files.set(id, join(dist, file.fileName));
  }
  return files;
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
