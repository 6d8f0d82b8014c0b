import { child, type Node, parent, same, type Tree } from './tree.ts';

/** Which paths a checkpoint cannot hold, by the rules that the stories use: worked out without git. */
function hiddenIn(tree: Tree, held: (path: string) => boolean): (path: string) => boolean {
  const rules = tree.get('.gitignore');
  const lines = rules?.kind === 'file' ? rules.content.split(/\r?\n/) : [];
  const isNamed = (path: string): boolean => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (name === '.git') return true;
    if (lines.includes('*.log') && name.endsWith('.log')) return true;
    if (lines.includes('*.tmp') && name.endsWith('.tmp')) return true;
    return lines.includes('ignored/') && name === 'ignored' && tree.get(path)?.kind === 'folder';
  };
  // A rule can only hide what is there.
  const isHidden = (path: string): boolean =>
    (tree.has(path) && isNamed(path)) || (parent(path) !== '' && tree.has(child(parent(path), '.git')));
  return (path) => {
    for (let each = path; each !== ''; each = parent(each))
      if ((each === path || !held(each) || tree.get(each)?.kind === 'folder') && isHidden(each)) return true;
    return false;
  };
}

type Fate = Node | undefined | 'unknown';

/** What a checkpoint of `tree` knows of a path. `held`: covered before, whatever the rules say now; or saved. */
function fateIn(tree: Tree, held: (path: string) => boolean): (path: string) => Fate {
  const isHidden = hiddenIn(tree, held);
  return (path) => {
    const node = tree.get(path);
    if (held(path)) return node;
    return isHidden(path) ? 'unknown' : node;
  };
}

export interface Chapters {
  before: Tree;
  after: Tree;
  now: Tree;
  /** Named to `saveFiles` on both sides. */
  saved: Set<string>;
  /** Ignored, and tracked by the user all the same. */
  tracked: Set<string>;
}

/**
 * The tree after an undo, worked out on the trees alone: put back what the run changed and nobody since, as far as
 * there is room for it.
 */
export function expectedAfterUndo({ before, after, now, saved, tracked }: Chapters): Tree {
  const result: Tree = new Map(now);
  const was = fateIn(
    before,
    (path) => saved.has(path) || (tracked.has(path) && before.get(path)?.kind !== 'folder'),
  );
  const wasHeld = (path: string): boolean => {
    const node = before.get(path);
    return node !== undefined && node.kind !== 'folder' && was(path) !== 'unknown';
  };
  // What is still a file stays covered, even if a rule has come to name it.
  const left = fateIn(after, (path) => {
    if (saved.has(path)) return true;
    const node = after.get(path);
    return wasHeld(path) && node !== undefined && node.kind !== 'folder';
  });
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const wanted: [path: string, node: Node | undefined][] = [];
  for (const path of paths) {
    const [old, run, is] = [was(path), left(path), now.get(path)];
    if (old === 'unknown' || run === 'unknown' || same(old, run) || same(is, old)) continue;
    const changesKind = old !== undefined && old.kind !== run?.kind;
    const isFree =
      same(is, run) ||
      (is === undefined && changesKind) ||
      (is?.kind === 'folder' && old?.kind === 'folder' && run?.kind !== 'folder') ||
      (is?.kind === 'folder' && old === undefined && run?.kind === 'folder');
    if (isFree) wanted.push([path, old]);
  }
  perform(result, wanted, before);
  return result;
}

const isEmpty = (tree: Tree, folder: string): boolean =>
  ![...tree.keys()].some((path) => path.startsWith(`${folder}/`));

/** Is every folder above it one, or missing, or about to be made one? */
function hasRoom(tree: Tree, path: string): boolean {
  for (let folder = parent(path); folder !== ''; folder = parent(folder)) {
    const node = tree.get(folder);
    if (node !== undefined && node.kind !== 'folder') return false;
  }
  return true;
}

function perform(tree: Tree, wanted: [string, Node | undefined][], before: Tree): void {
  for (const [path, node] of wanted) {
    const is = tree.get(path);
    if (is !== undefined && is.kind !== 'folder' && (node === undefined || node.kind === 'folder'))
      tree.delete(path);
  }
  for (const [path, node] of wanted.toReversed())
    if (tree.get(path)?.kind === 'folder' && node?.kind !== 'folder' && isEmpty(tree, path))
      tree.delete(path);
  for (const [path, node] of wanted) {
    if (node === undefined || !hasRoom(tree, path)) continue;
    if (node.kind !== 'folder' && tree.get(path)?.kind === 'folder') continue;
    for (let folder = parent(path); folder !== ''; folder = parent(folder))
      if (!tree.has(folder)) tree.set(folder, before.get(folder)!);
    tree.set(path, node);
  }
}
