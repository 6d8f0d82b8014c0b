import { CheckpointError } from './errors.ts';
import { type GitPlace, git } from './git.ts';
import { fieldsOf } from './path-bytes.ts';

/** One object as git has it. `oid` is its own name, whatever it was asked for by. */
interface ReadObject {
  oid: string;
  content: Buffer;
}

/** Reads objects by whatever names them, in order; null for those that are not there. Names have no line ends. */
export async function readObjects(place: GitPlace, names: string[]): Promise<(ReadObject | null)[]> {
  if (names.length === 0) return [];
  const output = await git(place, ['cat-file', '--batch'], { input: `${names.join('\n')}\n` });
  let at = 0;
  return names.map((name) => {
    const end = output.indexOf(10, at);
    const header = output.subarray(at, end).toString();
    const [, oid = '', size = ''] = /^([0-9a-f]{40}) \w+ (\d+)$/.exec(header) ?? [];
    if (end === -1 || (oid === '' && !header.endsWith(' missing')))
      throw new CheckpointError('git-failed', `git cat-file said nothing useful about ${name}: ${header}`);
    at = end + 1;
    if (oid === '') return null;
    const content = output.subarray(at, at + Number(size));
    at += Number(size) + 1;
    return { oid, content };
  });
}

export interface TreeDifference {
  path: string;
  before: { mode: string; oid: string };
  after: { mode: string; oid: string };
}

/** Files and links that differ between two trees. */
export async function compareTrees(place: GitPlace, from: string, to: string): Promise<TreeDifference[]> {
  if (from === to) return [];
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', from, to];
  const fields = fieldsOf(await git(place, args));
  const found: TreeDifference[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = '', newMode = '', oldOid = '', newOid = ''] = fields[at]!.slice(1).split(' ');
    found.push({
      path: fields[at + 1]!,
      before: { mode: oldMode, oid: oldOid },
      after: { mode: newMode, oid: newOid },
    });
  }
  return found;
}
