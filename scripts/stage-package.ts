import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';

const root = join(import.meta.dirname, '..');

/**
 * Puts the package into a new folder as npm would install it: what package.json lists, bundled, beside its dependencies,
 * and without its sources. The web app and the types are left out: building them takes longer than all else. `dist`: a
 * bundle of these sources, where there is one already.
 */
export async function stagePackage(folder: string, dist?: string): Promise<void> {
  if (dist === undefined) await bundle(join(folder, 'dist'));
  else cpSync(dist, join(folder, 'dist'), { recursive: true });
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
  const left = files.filter((name) => name.startsWith('!')).map((name) => join(root, name.slice(1)));
  const filter = (file: string) => !left.includes(file);
  for (const file of ['package.json', 'README.md', ...files.filter((name) => !/^(?:dist$|!)/.test(name))]) {
    cpSync(join(root, file), join(folder, file), { recursive: true, filter });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}
