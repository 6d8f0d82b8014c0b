import { expect, test } from 'vitest';
import { replaceOnce } from './replace.ts';

const text = 'function a() {\n    if (x) {\n        go();\n    }\n}\n';

test('what occurs once is replaced as it stands', () => {
  expect(replaceOnce(text, 'go();', 'stop();')).toMatchObject({ ok: true, how: 'exact', line: 3 });
});

test('white space is overlooked, and the indentation that is there is kept', () => {
  const replaced = replaceOnce(text, '  if  (x) {\n    go();\n  }', '  if (y) {\n    stay();\n  }');
  expect(replaced).toMatchObject({ ok: true, how: 'white-space', line: 2 });
  expect(replaced.ok && replaced.text).toBe('function a() {\n    if (y) {\n      stay();\n    }\n}\n');
});

test('whole lines only: a piece of a line that differs in white space is not guessed at', () => {
  expect(replaceOnce(text, 'if  (x)', 'if (y)')).toEqual({ ok: false, lines: [] });
});

test('what occurs twice is not replaced, whichever way it is found', () => {
  expect(replaceOnce('a\nb\na\n', 'a', 'c')).toEqual({ ok: false, lines: [1, 3] });
  expect(replaceOnce(' a b\nx\n  a b\n', 'a  b', 'c')).toEqual({ ok: false, lines: [1, 3] });
});

test('dollar signs and line endings are what they are', () => {
  expect(replaceOnce('a\r\nb  c\r\n', 'b c', 'x$&')).toMatchObject({ text: 'a\r\nx$&\r\n' });
  expect(replaceOnce('price', 'price', '$1')).toMatchObject({ text: '$1' });
});

test('white space alone is nothing to be found', () => {
  expect(replaceOnce('a\n', '\n \n', 'b')).toEqual({ ok: false, lines: [] });
});
