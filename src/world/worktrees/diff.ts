import type { TaskDiff } from '../../core/contract/tasks/index.ts';
import { type Compared, plainly } from './changes.ts';
import { commitOf, failed, type Git } from './repository.ts';

type FileDiff = TaskDiff['files'][number];
type Hunk = FileDiff['hunks'][number];

const MAX_FILES = 500;
const MAX_BYTES = 1024 * 1024;
const MAX_LINES = 2_000;
const MAX_LINE = 2_000;

const statuses: Readonly<Record<string, FileDiff['status']>> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'type',
};

/** What a branch changes against its base, bounded whatever it is. Empty where there is no such branch. */
export async function diffBranch(git: Git, { branch, base }: Compared): Promise<Omit<TaskDiff, 'pushesTo'>> {
  const tip = await commitOf(git, `refs/heads/${branch}`);
  if (tip === null) return { files: [], more: 0 };
  const range = `${base}...${tip}`;
  const common = ['diff', ...plainly, '--find-renames'];
  const [raw, numbers] = await Promise.all([
    git.ask([...common, '--raw', '-z', range]),
    git.ask([...common, '--numstat', '-z', range]),
  ]);
  const all = withNumbers(readRaw(raw), numbers);
  const files = all.slice(0, MAX_FILES);
  const args = [...common, '--patch', '--unified=3', range];
  const patch = await git.try(args, { maxBytes: MAX_BYTES });
  if (patch.code !== 0 && patch.why !== 'too-much') throw failed(args, patch);
  fill(files, patch.stdout.toString(), patch.why === 'too-much');
  return { files, more: all.length - files.length };
}

function readRaw(raw: string): FileDiff[] {
  const parts = raw.split('\0');
  const files: FileDiff[] = [];
  for (let at = 0; at + 1 < parts.length; ) {
    const letter = parts[at]!.split(' ').at(-1)![0]!;
    const isPair = letter === 'R' || letter === 'C';
    const path = parts[at + (isPair ? 2 : 1)] ?? '';
    const from = isPair ? (parts[at + 1] ?? null) : null;
    const status = statuses[letter] ?? 'modified';
    files.push({ path, from, status, added: null, removed: null, hunks: [], isCut: false });
    at += isPair ? 3 : 2;
  }
  return files;
}

/** `12\t3\tpath`, or `12\t3\t` and the two names of what was renamed. */
function withNumbers(files: FileDiff[], numbers: string): FileDiff[] {
  const parts = numbers.split('\0');
  let at = 0;
  return files.map((file) => {
    const [added = '-', removed = '-', name = ''] = (parts[at] ?? '').split('\t');
    at += name === '' ? 3 : 1;
    const count = (text: string): number | null => (text === '-' ? null : Number(text));
    return { ...file, added: count(added), removed: count(removed) };
  });
}

/** The patch names its files in the same order; a change of type is told as a removal and an addition. */
function fill(files: readonly FileDiff[], patch: string, isCut: boolean): void {
  const sections = patch.split(/^(?=diff --git )/m).filter((section) => section !== '');
  let next = 0;
  for (const file of files) {
    const count = file.status === 'type' ? 2 : 1;
    const own = sections.slice(next, next + count);
    next += count;
    const isLast = next >= sections.length;
    const { hunks, more } = readHunks(own);
    file.hunks = hunks;
    file.isCut = more || (isCut && isLast);
  }
}

function readHunks(sections: readonly string[]): { hunks: Hunk[]; more: boolean } {
  const hunks: Hunk[] = [];
  let lines = 0;
  let isInHunk = false;
  for (const line of sections.flatMap((section) => section.replace(/\n$/, '').split('\n'))) {
    if (line.startsWith('diff --git ')) isInHunk = false;
    else if (line.startsWith('@@ ')) {
      isInHunk = true;
      hunks.push({ header: line.slice(0, MAX_LINE), lines: [] });
    } else if (isInHunk) {
      if ((lines += 1) > MAX_LINES) return { hunks, more: true };
      hunks.at(-1)!.lines.push(line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line);
    }
  }
  return { hunks, more: false };
}
