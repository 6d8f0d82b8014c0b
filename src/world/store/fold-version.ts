import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';

/** Where folds begin: what a snapshot means depends on these files and on all that they import. */
const folds = ['../../core/contract/run/evolve', '../../core/contract/chat/evolve'];
const extension = extname(import.meta.url);

let known: string | undefined;

/**
 * Names the fold as its source has it: nobody has to remember to count a version up. It is found when it is first
 * wanted; the build puts the answer in place of this file.
 */
export function foldVersion(): string {
  known ??= versionOf(folds.map((file) => new URL(file + extension, import.meta.url)));
  return known;
}

function versionOf(entries: readonly URL[]): string {
  const hash = createHash('sha256');
  const seen = new Set<string>();
  const read = (file: URL): void => {
    if (seen.has(file.href)) return;
    seen.add(file.href);
    const text = readFileSync(file, 'utf8');
    hash.update(text);
    for (const [, path] of text.matchAll(/\bfrom '(\.[^']+)'/g)) read(new URL(path!, file));
  };
  for (const entry of entries) read(entry);
  return hash.digest('hex').slice(0, 16);
}
