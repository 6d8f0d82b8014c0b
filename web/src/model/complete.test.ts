import { expect, test } from 'vitest';
import { completed, completing } from './complete.ts';

test('a command is completed at the beginning only, a file wherever a word begins with @', () => {
  expect(completing('/pl', 3)).toEqual({ kind: 'slash', typed: '/pl', from: 0 });
  expect(completing('say /pl', 7)).toBeNull();
  expect(completing('/plan it', 8)).toBeNull();
  expect(completing('see @src/a and', 10)).toEqual({ kind: 'file', typed: 'src/a', from: 5 });
  expect(completing('mail me@home', 12)).toBeNull();
  expect(completing('@', 1)).toEqual({ kind: 'file', typed: '', from: 1 });
});

test('what is chosen takes the place of what was typed; a folder is gone into', () => {
  expect(completed('see @sr now', 7, 5, 'src/')).toEqual({ text: 'see @src/ now', caret: 9 });
  expect(completed('see @sr', 7, 5, 'src/')).toEqual({ text: 'see @src/', caret: 9 });
  expect(completed('see @src/a', 10, 5, 'src/a.ts')).toEqual({ text: 'see @src/a.ts ', caret: 14 });
  expect(completed('/pl', 3, 0, '/plan')).toEqual({ text: '/plan ', caret: 6 });
});
