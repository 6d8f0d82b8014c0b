import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { ensureWeb } from '../../scripts/build-web.ts';

const dist = join(import.meta.dirname, '../../web/dist');

interface Chunk {
  file: string;
  isEntry?: boolean;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
}

let manifest: Record<string, Chunk>;
beforeAll(async () => {
  await ensureWeb();
  manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
});

/** A chunk with everything that is loaded before it can run. */
function filesOf(key: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[key]!;
  if (seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const file of chunk.css ?? []) seen.add(file);
  for (const other of chunk.imports ?? []) filesOf(other, seen);
  return seen;
}

const gzipped = (file: string) => gzipSync(readFileSync(join(dist, file))).length;

test('what a browser must read before it shows anything is less than 200 kB, compressed, without editor, terminal and schemas', () => {
  const entry = Object.entries(manifest).find(([, { isEntry }]) => isEntry)![0];
  const files = ['index.html', 'theme.js', ...filesOf(entry)];
  expect(files.some((file) => /editor|terminal/.test(file))).toBe(false);
  const kB = files.reduce((sum, file) => sum + gzipped(file), 0) / 1000;
  expect(kB).toBeGreaterThan(50);
  expect(kB).toBeLessThan(200);
  const scripts = files.filter((file) => file.endsWith('.js'));
  expect(scripts.filter((file) => readFileSync(join(dist, file), 'utf8').includes('ZodString'))).toEqual([]);
});

test('schemas, and the library that makes them, are in no chunk: the page folds and believes', () => {
  const scripts = Object.values(manifest).flatMap(({ file }) => (file.endsWith('.js') ? [file] : []));
  expect(scripts.length).toBeGreaterThan(10);
  expect(scripts.filter((file) => readFileSync(join(dist, file), 'utf8').includes('ZodString'))).toEqual([]);
});

test('editor and terminal are chunks of their own', () => {
  const names = Object.keys(manifest);
  expect(names.filter((name) => /editor\.tsx|terminal-view\.tsx/.test(name))).toHaveLength(2);
});

test('the page holds no inline script and asks nobody else for anything', () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(page).not.toMatch(/https?:\/\//);
});
