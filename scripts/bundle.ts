import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { foldVersion } from '../src/world/store/index.ts';

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
 * Compiles src/ into `dist`, as few files as its dynamic imports allow, each holding what is loaded together. Files lie
 * as deep as their sources do, because some find what comes with the package from where they are. The entries are paths
 * in the checkout. Returns the files that it was made of.
 */
export async function bundle(dist: string, entries: readonly string[] = published): Promise<string[]> {
  const nameOf = (file: string) => file.replace(/^src\//, '').replace(/\.ts$/, '');
  const bundled = await rolldown({
    input: Object.fromEntries(entries.map((file) => [nameOf(file), join(root, file)])),
    platform: 'node',
    plugins: [knownFold],
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !isTaken(id),
    treeshake: {
      moduleSideEffects: [{ test: /[\\/]src[\\/](core|world|mind|doors)[\\/]/, sideEffects: false }],
    },
  });
  const { output } = await bundled.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'doors/parts/[name]-[hash].js',
  });
  await bundled.close();
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  writeFileSync(join(dist, 'LICENSES.txt'), licencesOf(modules));
  return modules;
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
