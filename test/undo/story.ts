import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { Random } from '../simulation/random.ts';
import { bytes, child, parent, raw, readTree, type Tree } from './tree.ts';

// biome-ignore format: a list of names is read as a list
const fileNames = [
  'a.txt', 'b.bin', 'run.sh', '.hidden', 'CASE', 'case', '-dash', ':colon', '*star?', 'sp ace', '"quote\'', '\\back',
  bytes('ünï¢ödé.txt'), bytes('e\u0301'), bytes('日本.md'), bytes('🎉'), 'line\nend', 'tab\t', '\xff\xfe.bad', '__proto__',
  'x.log', 'y.tmp',
];
const folderNames = ['d', 'e', bytes('ordner ü'), 'deep', 'ignored', '\xe9'];
const contents = [
  '',
  'one\n',
  'two\r\nlines\r\n',
  '\x00\x01\xff binary \x00',
  'no end',
  'x'.repeat(300),
  '$Id$\n',
];
const fileModes = [0o644, 0o755, 0o600, 0o640, 0o444, 0o700, 0o664];
const folderModes = [0o755, 0o700, 0o750, 0o775];
const targets = ['a.txt', '../outside', 'nowhere', 'd', '/etc'];

/** One hand in the workspace: the run's, or a person's. Everything it does is done with the file system alone. */
export function handIn(root: string, random: Random, mark: string) {
  let count = 0;
  const at = (path: string): Buffer => raw(`${root}/${path}`);
  const tree = (): Tree => readTree(root, (path) => /(^|\/)\.git(\/|$)/.test(path));
  const pathsOf = (kinds: string[]): string[] =>
    [...tree()].flatMap(([path, node]) => (kinds.includes(node.kind) ? [path] : []));
  const someFolder = (): string => random.pick(['', ...pathsOf(['folder'])]);
  const content = (): string => {
    count += 1;
    return random.chance(0.3) ? random.pick(contents) : `${mark}${count} ${random.pick(contents)}`;
  };
  const remove = (path: string): void => rmSync(at(path), { recursive: true, force: true });
  const write = (path: string, text: string): void => {
    remove(path);
    writeFileSync(at(path), Buffer.from(text, 'latin1'));
    if (random.chance(0.4)) chmodSync(at(path), random.pick(fileModes));
  };
  const onSome = (kinds: string[], work: (path: string) => void): void => {
    const paths = pathsOf(kinds);
    if (paths.length > 0) work(random.pick(paths));
  };
  const overwrite = (path: string): void => {
    // In place, as most programs do: the inode stays.
    chmodSync(at(path), lstatSync(at(path)).mode | 0o200);
    writeFileSync(at(path), Buffer.from(content(), 'latin1'));
  };
  const move = (path: string): void => {
    const to = child(someFolder(), random.pick([...fileNames, ...folderNames]));
    if (`${to}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${to}/`) || existsSync(at(to))) return;
    if (lstatSync(at(to), { throwIfNoEntry: false }) === undefined) renameSync(at(path), at(to));
  };
  const link = (path: string): void => {
    remove(path);
    symlinkSync(random.pick(targets), at(path));
  };
  const makeFolder = (path: string): void => {
    if (lstatSync(at(path), { throwIfNoEntry: false }) === undefined) mkdirSync(at(path));
  };
  const intoFolder = (path: string): void => {
    remove(path);
    mkdirSync(at(path));
    write(child(path, 'in'), content());
  };
  const nest = (path: string): void => {
    const stats = lstatSync(at(path), { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory()) return;
    mkdirSync(at(child(path, '.git/objects')), { recursive: true });
    writeFileSync(at(child(path, '.git/HEAD')), 'ref: refs/heads/main\n');
    writeFileSync(at(child(path, 'inner')), content());
  };
  // biome-ignore format: a table is read by its lines
  const deeds: [weight: number, deed: () => void][] = [
    [6, () => write(child(someFolder(), random.pick(fileNames)), content())],
    [6, () => onSome(['file'], overwrite)],
    [3, () => onSome(['file', 'link'], remove)],
    [1, () => onSome(['folder'], remove)],
    [3, () => onSome(['file', 'link', 'folder'], move)],
    [2, () => onSome(['file'], (path) => chmodSync(at(path), random.pick(fileModes)))],
    [1, () => onSome(['folder'], (path) => chmodSync(at(path), random.pick(folderModes)))],
    [3, () => makeFolder(child(someFolder(), `${random.pick(folderNames)}${random.int(3)}`))],
    [2, () => makeFolder(child(someFolder(), random.pick(['ignored', 'empty'])))],
    [2, () => link(child(someFolder(), random.pick(fileNames)))],
    // A file becomes a folder, a folder a file, a folder a link that leads outside.
    [1, () => onSome(['file', 'link'], intoFolder)],
    [1, () => onSome(['folder'], (path) => write(path, content()))],
    [1, () => onSome(['folder'], link)],
    [1, () => nest(child(someFolder(), random.pick(['nested', 'clone'])))],
    [1, () => toggleRule()],
  ];
  /** Lets the ignore file name `*.tmp`, or not. */
  const toggleRule = (): void => {
    const path = raw(`${root}/.gitignore`);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return;
    const rules = readFileSync(path, 'latin1');
    writeFileSync(path, rules.includes('*.tmp\n') ? rules.replace('*.tmp\n', '') : `${rules}*.tmp\n`);
  };
  const all = deeds.flatMap(([weight, deed]) => Array<() => void>(weight).fill(deed));
  return {
    act: (times: number): void => {
      for (let i = 0; i < times; i += 1) random.pick(all)();
    },
    /** Puts something back that somebody else changed, so that it is as before already. */
    putBack: (before: Tree): void => {
      const [path, node] = random.pick([...before]);
      if (node.kind !== 'file' || !hasParents(root, path)) return;
      remove(path);
      writeFileSync(at(path), Buffer.from(node.content, 'latin1'));
      chmodSync(at(path), node.mode);
    },
  };
}

function hasParents(root: string, path: string): boolean {
  const folders: string[] = [];
  for (let folder = parent(path); folder !== ''; folder = parent(folder)) folders.unshift(folder);
  return folders.every((folder) =>
    lstatSync(raw(`${root}/${folder}`), { throwIfNoEntry: false })?.isDirectory(),
  );
}
