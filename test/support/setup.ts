import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

/**
 * Before the tests: the program that they start, bundled as it is published, because it starts in half the time that it
 * needs from its sources; and with it the programs of the tests' own. It lies in a folder named after the content of all
 * that it is made of, and is made where there is none: a test never starts anything but what the sources say.
 */

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/program');
const DAY_MS = 86_400_000;

/** Started by tests as processes of their own. */
const drivers = 'test/**/{driver,worker,fixture}.ts';
const madeOf = ['src/**/*.ts', 'test/**/*.ts', 'scripts/*', 'bin/*', 'node_modules/.package-lock.json'];

const filesOf = (patterns: string[], at = root): string[] =>
  globSync(patterns, { cwd: at, exclude: (file) => file.endsWith('.test.ts') }).toSorted();

/** The name of what the files of a checkout make, and these files. */
export function nameOf(at: string): { name: string; files: string[] } {
  const hash = createHash('sha256').update(at);
  const files = filesOf(madeOf, at);
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(at, file)));
  return { name: hash.digest('hex').slice(0, 32), files };
}

/** Of the bundler's own and of installed packages the version is known. */
const isFile = (id: string): boolean => !id.startsWith('\0') && !id.includes('node_modules');

/** In a process of its own: one that watches for changes has loaded what was there before them. */
async function bundleInto(...given: [dist: string, entries?: string[]]): Promise<string[]> {
  const script = `import { bundle } from ${JSON.stringify(join(root, 'scripts/bundle.ts'))};
    console.log(JSON.stringify(await bundle(...${JSON.stringify(given)})));`;
  const args = ['--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout.trim().split('\n').at(-1)!);
}

async function build(folder: string, known: ReadonlySet<string>): Promise<void> {
  // Apart: each entry more divides the files of the others. At once: nothing else is done yet.
  const modules = await Promise.all([
    bundleInto(join(folder, 'dist')),
    bundleInto(join(folder, 'drivers'), filesOf([drivers])),
  ]);
  const unknown = modules.flat().filter((id) => isFile(id) && !known.has(relative(root, id)));
  if (unknown.length > 0) throw new Error(`not in the name of the bundle: ${unknown.join(', ')}`);
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  // What it finds by its own place, as in a checkout.
  for (const name of ['package.json', 'templates', 'examples', 'docs', 'scripts', 'web']) {
    symlinkSync(join(root, name), join(folder, name));
  }
}

/** The folder of the program that these sources make. Several at once make it each, and one of them stays. */
async function ensureProgram(): Promise<string> {
  for (;;) {
    const { name, files } = nameOf(root);
    const folder = join(cache, name);
    if (existsSync(folder)) {
      utimesSync(folder, new Date(), new Date());
      return folder;
    }
    mkdirSync(cache, { recursive: true });
    const made = mkdtempSync(join(cache, 'new-'));
    try {
      await build(made, new Set(files));
      // Some tests start it as somebody else.
      chmodSync(made, 0o755);
      // Somebody wrote while it was read: it may be neither the one nor the other.
      if (nameOf(root).name === name) renameSync(made, folder);
    } catch (error) {
      if (!existsSync(folder)) throw error;
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
    for (const one of globSync('*', { cwd: cache })) {
      const old = join(cache, one);
      const used = statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (used < Date.now() - DAY_MS) rmSync(old, { recursive: true, force: true });
    }
  }
}

export async function setup(project: TestProject): Promise<void> {
  const provide = async () => project.provide('program', await ensureProgram());
  await provide();
  project.onTestsRerun(provide);
}

declare module 'vitest' {
  export interface ProvidedContext {
    program: string;
  }
}
