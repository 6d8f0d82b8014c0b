import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

/**
 * The folder map: the fenced block that begins with `src/`. Floors are indented by two spaces, rooms by four; a
 * room in brackets is planned, and its folder must not be there yet.
 */
function readMap(): { rooms: string[]; planned: string[] } {
  const block = /^```\w*\nsrc\/.*\n([\s\S]*?)^```/m.exec(page)?.[1] ?? '';
  const rooms: string[] = [];
  const planned: string[] = [];
  let floor = '';
  for (const line of block.split('\n')) {
    const [, indent = '', open = '', name = ''] = /^( {2}| {4})(\()?([a-z]+)\//.exec(line) ?? [];
    if (indent.length === 2) floor = name;
    if (indent.length === 4) (open ? planned : rooms).push(`${floor}/${name}`);
  }
  return { rooms, planned };
}

const config = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
  forbidden: { name: string }[];
  subDoors: Record<string, string[]>;
};

const folders = globSync('*/*/', { cwd: join(root, 'src') }).toSorted();
const { rooms, planned } = readMap();

test('the folder map is the folders: every room is on it, and nothing that is not there', () => {
  expect(folders.length).toBeGreaterThan(3);
  expect(rooms.toSorted()).toEqual(folders);
});

test('a planned room is not there yet', () => {
  expect(planned.filter((room) => folders.includes(room))).toEqual([]);
});

test('a room on the map has its arrows checked, and no other', () => {
  const checked = config.forbidden.flatMap(
    ({ name }) => /^arrow-from-(\w+)-(\w+)$/.exec(name)?.slice(1) ?? [],
  );
  const pairs = checked.flatMap((floor, at) => (at % 2 === 0 ? [`${floor}/${checked[at + 1]}`] : []));
  expect(pairs.toSorted()).toEqual([...rooms, ...planned].toSorted());
});

test('a floor holds nothing but rooms, and src nothing but floors', () => {
  const loose = globSync('{*,*/*}', { cwd: join(root, 'src'), withFileTypes: true });
  expect(loose.filter((entry) => !entry.isDirectory()).map((entry) => entry.name)).toEqual([]);
});

/** Nobody imports these: they are entered by the process itself. */
const doorOf = (room: string) => (/^doors\/(?:cli|guard)$/.test(room) ? 'main.ts' : 'index.ts');

test.each(folders)('%s has a door', (room) => {
  expect(existsSync(join(root, 'src', room, doorOf(room)))).toBe(true);
});

/** The table of sub-doors: a room and what it offers apart. */
const listed = Object.fromEntries(
  [...page.matchAll(/^\| `(\w+\/\w+)` \| (.+) \|$/gm)].map(([, room, names]) => [
    room,
    [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  ]),
);

test('the sub-doors that are checked are those that are drawn', () => {
  expect(listed).toEqual(config.subDoors);
});

test.each(Object.entries(config.subDoors))('%s has the sub-doors %j', (room, names) => {
  const ways = names.filter((name) =>
    [`${name}.ts`, `${name}/index.ts`].some((file) => existsSync(join(root, 'src', room, file))),
  );
  expect(ways).toEqual(names);
});
