import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const text = (file: string) => readFileSync(join(root, file), 'utf8');

/** What a door exports, types too, by its own lines: it passes names on, and makes none. */
function exportsOf(door: string): string[] {
  const source = text(door);
  expect(source).not.toMatch(/^export (?!(?:type )?\{)/m);
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)];
  const names = lists.flatMap(([, list]) => list!.split(',').map((name) => name.replace('type ', '').trim()));
  return names.filter((name) => name !== '');
}

/** The names that a page has in the first column of its table `| name | |`, or explains beside them. */
function explainedIn(page: string): { first: string[]; all: Set<string> } {
  const rows = text(page).split('| name | |\n| --- | --- |\n')[1]!.split('\n\n')[0]!.split('\n');
  const names = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  return {
    first: rows.flatMap((row) => names(row.split(' | ')[0]!)),
    all: new Set(rows.flatMap((row) => names(row))),
  };
}

const doors = [
  ['.', 'src/doors/app/index.ts', 'docs/library.md', 'planwright'],
  ['./client', 'src/core/contract/client.ts', 'docs/server.md', 'planwright/client'],
] as const;

test.each(doors)('%s exports what its page explains, and nothing else', (_entry, door, page) => {
  const exported = exportsOf(door);
  const { first, all } = explainedIn(page);
  expect(exported.filter((name) => !all.has(name))).toEqual([]);
  expect(first.filter((name) => !exported.includes(name))).toEqual([]);
});

test('package.json exports these, two schemas and itself', () => {
  const { exports } = JSON.parse(text('package.json')) as { exports: Record<string, unknown> };
  const schemas = ['./plan.schema.json', './pipeline.schema.json'];
  expect(Object.keys(exports)).toEqual([...doors.map(([entry]) => entry), ...schemas, './package.json']);
  for (const [entry, door] of doors) {
    const built = door.replace('src/', './dist/').replace('.ts', '');
    expect(exports[entry]).toEqual({ types: `${built}.d.ts`, default: `${built}.js` });
  }
});

test.each(doors)('what examples import from %s is there', (_entry, door, _page, specifier) => {
  const pages = ['README.md', 'docs/library.md', 'docs/server.md'].map(text).join('\n');
  const imports = [...pages.matchAll(new RegExp(`^import \\{ ([^}]*) \\} from '${specifier}';`, 'gm'))];
  const names = imports.flatMap(([, list]) => list!.split(', '));
  expect(names.length).toBeGreaterThan(1);
  expect(names.filter((name) => !exportsOf(door).includes(name))).toEqual([]);
});
