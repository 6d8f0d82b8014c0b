import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = inject('program');

/** The program, as it is published: see ./setup.ts. */
export const BIN: string = join(folder, 'bin/planwright.js');

/** What it loads, to be called. */
export const MAIN: string = pathToFileURL(join(folder, 'dist/doors/cli/main.js')).href;

/** A program of the tests' own, `driver.ts`, `worker.ts` or `fixture.ts` in a folder of theirs, bundled like it. */
export const bundled = (folderOf: string, name: string): string =>
  join(folder, 'drivers', relative(root, folderOf), name.replace(/\.ts$/, '.js'));
