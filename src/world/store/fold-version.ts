import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';

/** Where the folds of all kinds begin: what a snapshot means depends on these files and on all that they import. */
const folds = [
  'run/evolve',
  'chat/evolve',
  'tasks/project',
  'tasks/task-state',
  'tasks/agent-state',
  'schedules/state',
  'guard/state',
];
const extension = extname(import.meta.url);

let known: string | undefined;

/**
 * Names the fold as its source has it: nobody has to remember to count a version up. It is found when it is first
 * wanted; the build puts the answer in place of this file.
 */
export function foldVersion(): string {
  if (known === undefined) {
    const hash = createHash('sha256');
    for (const text of foldSources().values()) hash.update(text);
    known = hash.digest('hex').slice(0, 16);
  }
  return known;
}

/** All that the version is made of, by where it is. */
export function foldSources(): Map<string, string> {
  const sources = new Map<string, string>();
  const read = (file: URL): void => {
    if (sources.has(file.href)) return;
    const text = readFileSync(file, 'utf8');
    sources.set(file.href, text);
    for (const [, path] of text.matchAll(/\bfrom '(\.[^']+)'/g)) read(new URL(path!, file));
  };
  for (const fold of folds) read(new URL(`../../core/contract/${fold}${extension}`, import.meta.url));
  return sources;
}
