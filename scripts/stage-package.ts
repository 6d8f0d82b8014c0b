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
  for (const file of ['package.json', ...files.filter((name) => name !== 'dist')]) {
    cpSync(join(root, file), join(folder, file), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}
