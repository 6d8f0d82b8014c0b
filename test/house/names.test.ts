import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const isTest = (file: string) => /(\.test\.ts|\/testing(\.ts|\/)|test-support\.ts|\/conformance)/.test(file);
const declared = /^export (?:declare )?(?:interface|type|class) ([A-Z]\w*)/gm;

/** Where each type that product code exports is declared. */
function declarations(files: Iterable<[string, string]>): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  for (const [file, text] of files) {
    for (const [, name] of text.matchAll(declared)) {
      places.set(name!, (places.get(name!) ?? new Set()).add(file));
    }
  }
  return places;
}

const twice = (files: Iterable<[string, string]>) =>
  [...declarations(files)].flatMap(([name, places]) =>
    places.size > 1 ? [[name, ...places].join(' ')] : [],
  );

test('no name of a type means two things', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !isTest(file));
  const texts = files.map((file): [string, string] => [file, readFileSync(join(root, file), 'utf8')]);
  expect(declarations(texts).size).toBeGreaterThan(200);
  expect(twice(texts)).toEqual([]);
});

test('two that do are told', () => {
  const files: [string, string][] = [
    ['a.ts', 'export interface Verdict {}\nexport const Plan = 1;\nexport type Plan = string;'],
    ['b.ts', 'export type Verdict = string;'],
  ];
  expect(twice(files)).toEqual(['Verdict a.ts b.ts']);
});
