import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { inject } from 'vitest';
import type { main } from '../../src/doors/cli/main.ts';

const root = join(import.meta.dirname, '../..');
const folder = inject('program');

/** The program, as it is published: see ./setup.ts. */
export const BIN: string = join(folder, 'bin/planwright.js');

let loaded: { main: typeof main } | null = null;

/** What it loads, to be called. */
export function program(): { main: typeof main } {
  const load = (): { main: typeof main } =>
    createRequire(BIN)('./load.cjs').load(join(folder, 'dist/doors/cli/main.cjs'), null);
  loaded ??= load();
  return loaded;
}

/** A program of the tests' own, `driver.ts`, `worker.ts` or `fixture.ts` in a folder of theirs, bundled like it. */
export const bundled = (folderOf: string, name: string): string =>
  join(folder, 'drivers', relative(root, folderOf), name.replace(/\.ts$/, '.js'));
