import { groupPaths } from '@told';
import { expect, test } from 'vitest';
import { ansiLine, plainText } from './ansi.ts';
import { diffFiles } from './diff.ts';
import { LogLines } from './log.ts';
import { leaves, shortPath } from './paths.ts';
import { markSpans } from './spans.ts';
import { stopwatch } from './time.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('colours become spans, and everything else that is not text goes', () => {
  expect(ansiLine('\x1b[32mok\x1b[0m and \x1b[1;38;5;196mred\x1b[m').spans).toEqual([
    { text: 'ok', fg: 'green' },
    { text: ' and ' },
    { text: 'red', bold: true, fg: '#ff0000' },
  ]);
  expect(plainText('\x1b]0;title\x07a\x1b[2Kb\x07')).toBe('ab');
  expect(plainText('10%\r50%\r100%')).toBe('100%');
});

test('a colour that a line leaves behind is the next one’s', () => {
  const log = new LogLines();
  log.add(bytes('plain\n\x1b[31mred\nstill red\x1b[0m\nplain'));
  expect(log.count).toBe(4);
  expect(ansiLine(log.line(2), log.lookAt(2)).spans).toEqual([{ text: 'still red', fg: 'red' }]);
  expect(log.lookAt(3)).toEqual({});
});

test('a line is an error where its first byte came from stderr, however the bytes are cut', () => {
  const bytes = new TextEncoder().encode('one\nzwö\nthree\nfour');
  for (const cut of [1, 4, 6, 7, 20]) {
    const lines = new LogLines();
    lines.add(bytes.slice(0, cut));
    lines.add(bytes.slice(cut), cut);
    lines.tell([
      [4, 9],
      [15, 19],
    ]);
    const errors = [0, 1, 2, 3, 4].filter((line) => lines.isError(line));
    expect({ cut, errors }).toEqual({ cut, errors: [1, 3] });
  }
  // What comes after a gap has the place that it has in the whole.
  const later = new LogLines();
  later.add(new TextEncoder().encode('a\n'));
  later.add(new TextEncoder().encode('b\n'), 1000);
  later.tell([[1000, 1002]]);
  expect([later.isError(0), later.isError(1)]).toEqual([false, true]);
});

test('lines are whole, wherever the bytes are cut', () => {
  const log = new LogLines();
  const all = bytes('grüße\nzwei\n');
  for (const byte of all) log.add(Uint8Array.of(byte));
  expect([log.count, log.line(0), log.line(1)]).toEqual([2, 'grüße', 'zwei']);
  expect(log.find('ZWEI')).toEqual([1]);
});

test('what a verdict points at is marked, once where spans overlap, and nothing beyond the text', () => {
  const reason = (from: number, to: number) => ({
    rule: 'r',
    level: 'dangerous' as const,
    sentence: 's',
    span: [from, to] as [number, number],
  });
  const verdict = { level: 'dangerous' as const, reasons: [reason(3, 6), reason(5, 8), reason(5, 99)] };
  expect(
    markSpans('rm -rf build', verdict)
      .map(({ text, marked }) => (marked ? `[${text}]` : text))
      .join(''),
  ).toBe('rm [-rf b]uild');
});

test('many paths are folders with their counts; a folder is not counted beside what is in it', () => {
  const paths = [
    '/w/build',
    ...Array.from({ length: 7 }, (_, n) => `/w/build/api/${n}`),
    '/w/build/a',
    '/w/x',
  ];
  expect(leaves(paths)).toHaveLength(9);
  expect(groupPaths(leaves(paths).map((path) => path.slice(3)))).toEqual([
    { folder: 'build/api/', count: 7 },
    { folder: './', count: 1 },
    { folder: 'build/', count: 1 },
  ]);
  expect(shortPath('/home/ada/src/docs-site')).toBe('~/src/docs-site');
});

test('a diff is told file by file, without its headers', () => {
  const text =
    'diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n--- not a header\ndiff --git a/d/y z.png b/d/y z.png\nnew file mode 100644\nBinary files differ\n';
  const [x, y] = diffFiles(text);
  expect(x).toMatchObject({ path: 'x', added: 1, removed: 2 });
  expect(x?.lines.map(({ kind }) => kind)).toEqual(['hunk', 'del', 'add', 'del']);
  expect(y).toMatchObject({ path: 'd/y z.png', added: 0, removed: 0 });
  expect(diffFiles('')).toEqual([]);
});

test('a stopwatch has hours only where there are any', () => {
  expect([134_000, 3_734_000].map(stopwatch)).toEqual(['02:14', '1:02:14']);
});
