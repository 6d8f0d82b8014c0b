import { describe, expect, test } from 'vitest';
import type { Change, CoveredEntry, Known } from '../types.ts';
import { decide, verdictOn, type World } from './decide.ts';
import type { Present } from './present.ts';

const file = (oid: string, mode = 0o644): CoveredEntry => ({ kind: 'file', oid, mode });
const link = (oid: string): CoveredEntry => ({ kind: 'link', oid });
const folder = (mode = 0o755): CoveredEntry => ({ kind: 'folder', mode });
const large = (stamp: string): Known => ({ kind: 'uncovered', why: 'too-large', stamp });
const change = (before: CoveredEntry | null, after: Known, path = 'p'): Change => ({
  path,
  kind: 'modified',
  before,
  after,
});
const present = (entry: Known, stamp = ''): Present => ({ entry, stamp, blockedBy: null });

describe('what undo does about a path', () => {
  test.each<[name: string, before: CoveredEntry | null, after: Known, now: Known, verdict: string]>([
    ['as the run left it', file('1'), file('2'), file('2'), 'restore'],
    ['as before', file('1'), file('2'), file('1'), 'as-before'],
    ['changed since', file('1'), file('2'), file('3'), 'changed-since'],
    ['another mode since', file('1'), file('2'), file('2', 0o600), 'changed-since'],
    ['made by the run', null, file('2'), file('2'), 'restore'],
    ['made by the run and changed since', null, file('2'), file('3'), 'changed-since'],
    ['made by the run and gone since', null, file('2'), null, 'as-before'],
    ['removed by the run', file('1'), null, null, 'restore'],
    ['removed by the run and made again', file('1'), null, file('3'), 'changed-since'],
    ['changed by the run and removed since', file('1'), file('2'), null, 'changed-since'],
    ['mode alone', file('1'), file('1', 0o755), file('1', 0o755), 'restore'],
    ['a link for a file', file('1'), link('2'), link('2'), 'restore'],
    ['a folder for a file, half undone', file('1'), folder(), null, 'restore'],
    ['a file for a folder, half undone', folder(), file('2'), null, 'restore'],
    ['a folder made again without its mode', folder(0o700), null, folder(0o755), 'restore'],
    ['the mode of a folder, changed since', folder(0o700), folder(0o755), folder(0o711), 'changed-since'],
    ['a folder of the run, with another mode', null, folder(0o755), folder(0o700), 'restore'],
    ['too large and untouched', file('1'), large('s'), file('9'), 'restore'],
    ['too large and touched', file('1'), large('t'), file('9'), 'unknown'],
  ])('%s', (_, before, after, now, verdict) => {
    expect(verdictOn(change(before, after), present(now, 's'))).toBe(verdict);
  });
});

function worldOf(entries: Record<string, Known>, forced: string[] = []): World {
  return {
    present: (path) => {
      const blockedBy = Object.keys(entries).find(
        (each) => path.startsWith(`${each}/`) && entries[each]?.kind !== 'folder',
      );
      if (blockedBy !== undefined) return { entry: null, stamp: '', blockedBy };
      return present(entries[path] ?? null);
    },
    names: (path) =>
      Object.keys(entries).flatMap((each) => {
        const rest = each.startsWith(`${path}/`) ? each.slice(path.length + 1) : '';
        return rest === '' || rest.includes('/') ? [] : [rest];
      }),
    isForced: (path) => forced.includes(path),
  };
}
const paths = (items: { path: string; why?: string }[]): string[] =>
  items.map(({ path, why }) => (why === undefined ? path : `${path} ${why}`));

describe('what undo does about folders', () => {
  const made = [change(null, folder(), 'new'), change(null, file('2'), 'new/a')];
  test('one that the run made goes with what the run put there', () => {
    const decided = decide(made, worldOf({ new: folder(), 'new/a': file('2') }));
    expect(paths(decided.restore)).toEqual(['new', 'new/a']);
  });
  test('and stays for what somebody else put there', () => {
    const decided = decide(made, worldOf({ new: folder(), 'new/a': file('2'), 'new/mine': file('3') }));
    expect(paths(decided.restore)).toEqual(['new/a']);
    expect(paths(decided.conflicts)).toEqual(['new not-empty']);
  });
  const replaced = [change(folder(), link('out'), 'd'), change(file('1'), null, 'd/x')];
  test('one that became a link comes back with its files', () => {
    expect(paths(decide(replaced, worldOf({ d: link('out') })).restore)).toEqual(['d', 'd/x']);
  });
  test('nothing is put behind a link that somebody else made', () => {
    const decided = decide(replaced, worldOf({ d: link('elsewhere') }));
    expect(decided.restore).toEqual([]);
    expect(paths(decided.conflicts)).toEqual(['d changed-since', 'd/x blocked']);
  });
  test('unless told to', () => {
    const decided = decide(replaced, worldOf({ d: link('elsewhere') }, ['d']));
    expect(paths(decided.restore)).toEqual(['d', 'd/x']);
  });
  test('being told does not empty a folder', () => {
    const world = worldOf({ p: folder(), 'p/mine': file('3') }, ['p']);
    expect(paths(decide([change(file('1'), file('2'))], world).conflicts)).toEqual(['p not-empty']);
  });
});
