import { expect, it } from 'vitest';
import { pathLists } from './paths.ts';
import { undoGroups, undoneSummary, undoSummary } from './undo.ts';

const changes = [
  { path: 'kept.txt', kind: 'modified' },
  { path: 'site', kind: 'added' },
  { path: 'old.txt', kind: 'removed' },
  { path: 'site/1.html', kind: 'added' },
] as const;

it('a deletion is never called anything else', () => {
  expect(undoGroups(changes).map(({ deed, paths }) => [deed, ...paths])).toEqual([
    ['delete', 'site', 'site/1.html'],
    ['revert', 'kept.txt'],
    ['bring back', 'old.txt'],
  ]);
  expect(undoSummary(changes, 1)).toBe('perform 1 undo action, delete 2 paths, revert 1, bring back 1');
  expect(undoSummary([])).toBe('');
  expect(undoneSummary(changes)).toBe('2 paths deleted, 1 reverted, 1 brought back');
});

it('paths outside of the workspace are apart from those in it', () => {
  expect(pathLists('/work', ['/work/a', '/etc/hosts', '/workshop/b'])).toEqual({
    count: 3,
    outside: [
      { folder: '/etc/hosts', count: 1 },
      { folder: '/workshop/b', count: 1 },
    ],
    inside: [{ folder: 'a', count: 1 }],
  });
});
