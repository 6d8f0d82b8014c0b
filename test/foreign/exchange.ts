import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'vitest';

/**
 * Programs of others against ours. They have a lock file of their own in this folder, are installed and run with
 * CI=true only, and can be as large as they like. At a desk what they sent then stands for them: each is recorded once,
 * the recording is played to us everywhere, and with CI=true the program itself must still send just that.
 *
 *   record anew:   CI=true FOREIGN_RECORD=1 npm test -- test/foreign
 */

/** What a program asked, without what differs from run to run. */
export interface Asked {
  method: string;
  path: string;
  headers: Record<string, string>;
}

const fileOf = (name: string): URL => new URL(`recorded/${name}.json`, import.meta.url);

export const recorded = <T>(name: string): T => JSON.parse(readFileSync(fileOf(name), 'utf8')) as T;

/** What went between a program and us is still what was recorded. */
export function expectRecorded(name: string, went: object): void {
  if (process.env['FOREIGN_RECORD'] === '1') {
    writeFileSync(fileOf(name), `${JSON.stringify(went, null, 2)}\n`);
  }
  expect(existsSync(fileOf(name)), `${name} was never recorded`).toBe(true);
  expect(went).toEqual(recorded(name));
}

/** A file of a package of this folder's lock file, whatever the package says that it offers. */
export const fileIn = (path: string): string =>
  fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));

/** A package of this folder's lock file. Its types are not installed at a desk: say what is used of it. */
export async function load<T>(name: string): Promise<T> {
  const path = createRequire(import.meta.url).resolve(name);
  return (await import(pathToFileURL(path).href)) as T;
}
