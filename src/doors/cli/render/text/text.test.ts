import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanOutput, onlyColours, visible } from './clean.ts';
import { cut, displayWidth, graphemes } from './width.ts';
import { wrap, wrapExactly } from './wrap.ts';

test.each([
  ['plain', 5],
  ['日本語', 6],
  ['한글', 4],
  ['e\u0301', 1],
  ['🎉', 2],
  ['👩‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['⚠️', 2],
  ['\x1b[31mred\x1b[39m', 3],
  ['● ○ ▲ ━ │', 9],
])('%j takes %i columns', (text, width) => expect(displayWidth(text)).toBe(width));

test('characters are told apart as the segmenter does, asked or not', () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const code = fc.oneof(
    ...[
      [0x20, 0x7e],
      [0xa0, 0x36f],
      [0x2000, 0x2bff],
      [0xfe0e, 0xfe0f],
    ].map(([min, max]) => fc.integer({ min: min!, max: max! })),
  );
  const text = fc.array(code, { maxLength: 6 }).map((codes) => String.fromCodePoint(...codes));
  fc.assert(
    fc.property(text, (given) => {
      expect([...graphemes(given)]).toEqual([...segmenter.segment(given)].map(({ segment }) => segment));
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ['short', 5, 'short'],
  ['longer', 5, 'long…'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['日本語', 6, '日本語'],
  ['\x1b[31mlonger\x1b[39m', 4, '\x1b[31mlon…\x1b[0m'],
  ['\x1b[31mred\x1b[39m', 3, '\x1b[31mred\x1b[39m'],
  ['x', 0, ''],
])('%j in %i columns is %j', (text, width, expected) => expect(cut(text, width, '…')).toBe(expected));

const anyText = fc.string({ unit: 'grapheme', maxLength: 60 });

test('no text is wider than it was cut to', () => {
  fc.assert(
    fc.property(
      anyText,
      fc.integer({ min: 0, max: 40 }),
      fc.constantFrom('…', '...'),
      (text, width, ellipsis) => {
        expect(displayWidth(cut(text, width, ellipsis))).toBeLessThanOrEqual(width);
      },
    ),
  );
});

test('wrapping exactly loses nothing, and no line is too wide', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, width) => {
      const lines = wrapExactly(visible(text), width);
      expect(lines.join('')).toBe(visible(text));
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    }),
  );
});

test('wrapping breaks between words and inside those that are too long', () => {
  expect(wrap('one two  three', 8)).toEqual(['one two', 'three']);
  expect(wrap('a  b', 10)).toEqual(['a  b']);
  expect(wrap('see abcdefghijkl ok', 6)).toEqual(['see', 'abcdef', 'ghijkl', 'ok']);
  expect(wrap('', 5)).toEqual(['']);
  expect(wrap('done in 5.5 s.', 12)).toEqual(['done in', '5.5 s.']);
  expect(wrap('4 sites', 3)).toEqual(['4', 'sit', 'es']);
  expect(wrap('5  s', 10)).toEqual(['5  s']);
});

test.each([
  ['\x1b[1;31mred\x1b[0m', 'red'],
  ['\x1b]0;a title\x07text', 'text'],
  ['\x1b[2J\x1b[Hgone', 'gone'],
  ['10%\r50%\r100%\r', '100%'],
  ['a\tb', 'a       b'],
  ['bell\x07 null\x00 backspace\x08', 'bell null backspace'],
  ['\x9b31mC1', 'C1'],
  ['right\u202eleft', 'rightleft'],
  ['half \ud800', 'half \ufffd'],
])('output %j is shown as %j', (raw, shown) => expect(cleanOutput(raw)).toBe(shown));

test('no output keeps a control character, and none is endless', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (raw) => {
      expect(cleanOutput(raw)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    }),
  );
  expect(cleanOutput('x'.repeat(1_000_000)).length).toBeLessThan(10_000);
});

test('text that a person decides by hides nothing', () => {
  expect(visible('rm \x1b[8m-rf /\x1b[0m')).toBe('rm \\x1b[8m-rf /\\x1b[0m');
  expect(visible('a\nb\tc')).toBe('a\\nb\\tc');
  expect(visible('x\u202ey\u{e0041}')).toBe('x\\u{202e}y\\u{e0041}');
  expect(visible('👩‍👩‍👧')).toBe('👩‍👩‍👧');
});

test('of output only lines and colours reach a terminal, whatever the pieces are', () => {
  const raw =
    'a\x1b[31mred\x1b[0m\x1b]0;title\x07b\x1b[?1049h\x1b[2Jc\x1b[>0q\x07\x1bc\x1bPq\x1b\\d\n\te\x9b5n';
  const bytes = new TextEncoder().encode(raw);
  const expected = 'a\x1b[31mred\x1b[0mbcd\n\te5n';
  for (const size of [1, 2, 3, 7, 1000]) {
    const clean = onlyColours();
    let out = '';
    for (let at = 0; at < bytes.length; at += size) out += clean(bytes.slice(at, at + size));
    expect(out, `${size}`).toBe(expected);
  }
});
