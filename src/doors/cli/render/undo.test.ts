import { expect, test } from 'vitest';
import type { PathChange, UndoPreview } from '../../app/undo.ts';
import { createStyle } from './style.ts';
import { renderUndo } from './undo.ts';

const plainLook = {
  style: createStyle({ env: { LANG: 'C.UTF-8' }, isTTY: false }),
  width: 80,
  home: '/home/u',
};

const preview = (restore: PathChange[]): UndoPreview => ({
  run: 'abc',
  from: null,
  restore,
  conflicts: [],
  actions: [],
  beyond: [],
  uncovered: [],
  unknownSteps: [],
  asBefore: [],
});
const added = (path: string): PathChange => ({ path, kind: 'added' });

test('few paths are told each; of very many, what goes with its folder is counted there', () => {
  const files = (count: number) => Array.from({ length: count }, (_, at) => added(`made/deep/${at}`));
  const small = [added('made'), added('made/deep'), ...files(3)];
  expect(renderUndo(preview(small), plainLook)).toEqual([
    ' delete made',
    ' delete made/deep',
    ' delete made/deep/0',
    ' delete made/deep/1',
    ' delete made/deep/2',
  ]);
  const large = [
    added('made'),
    added('made/deep'),
    ...files(2000),
    { path: 'made/kept', kind: 'modified' } as const,
    added('other'),
  ];
  expect(renderUndo(preview(large), plainLook)).toEqual([
    ' delete made and the 2001 in it',
    ' revert made/kept',
    ' delete other',
  ]);
});
