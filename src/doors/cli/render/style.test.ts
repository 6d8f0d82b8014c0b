import { expect, test } from 'vitest';
import { hanging } from './look.ts';
import { createStyle, isLiveTerminal } from './style.ts';

const utf8 = { LANG: 'en_US.UTF-8', TERM: 'xterm-256color' };

test.each([
  ['a terminal', utf8, true, true],
  ['a pipe', utf8, false, false],
  ['NO_COLOR', { ...utf8, NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR', { ...utf8, NO_COLOR: '' }, true, true],
  ['FORCE_COLOR in a pipe', { ...utf8, FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR=0', { ...utf8, FORCE_COLOR: '0' }, true, false],
  ['FORCE_COLOR over NO_COLOR', { ...utf8, FORCE_COLOR: '1', NO_COLOR: '1' }, true, true],
  ['a dumb terminal', { ...utf8, TERM: 'dumb' }, true, false],
])('colour in %s', (_, env, isTTY, colored) => {
  const style = createStyle({ env, isTTY });
  expect(style.color).toBe(colored);
  expect(style.done('x')).toBe(colored ? '\x1b[32mx\x1b[39m' : 'x');
});

test.each([
  [utf8, true],
  [{ LANG: 'C.utf8' }, true],
  [{ LANG: 'C' }, false],
  [{}, false],
  [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, false],
  [{ LANG: 'en_US.UTF-8', LC_ALL: '', LC_CTYPE: '' }, true],
  [{ ...utf8, TERM: 'dumb' }, false],
])('shapes beyond ASCII with %j: %s', (env, unicode) => {
  const { glyphs } = createStyle({ env, isTTY: true });
  const all = [
    glyphs.ellipsis,
    glyphs.spine,
    ...glyphs.spinner,
    ...Object.values(glyphs.step),
    ...Object.values(glyphs.risk),
  ];
  expect(all.every((glyph) => /^[\x20-\x7e]+$/.test(glyph))).toBe(!unicode);
});

test('every state and every risk has a shape of its own', () => {
  for (const env of [utf8, {}]) {
    const { glyphs } = createStyle({ env, isTTY: true });
    const steps = [...Object.values(glyphs.step), glyphs.waiting];
    expect(new Set(steps).size).toBe(steps.length);
    expect(new Set(Object.values(glyphs.risk)).size).toBe(4);
  }
});

test('the live view wants a terminal that can move its cursor', () => {
  expect(isLiveTerminal({ env: utf8, isTTY: true })).toBe(true);
  expect(isLiveTerminal({ env: { TERM: 'dumb' }, isTTY: true })).toBe(false);
  expect(isLiveTerminal({ env: utf8, isTTY: false })).toBe(false);
});

test('of two columns the second goes on below itself, where there is room for that', () => {
  const style = createStyle({ env: utf8, isTTY: false });
  const text = '/undo [N]   Take back the last message, its changes too';
  expect(hanging(text, 40, { style, width: 40 })).toEqual([
    '/undo [N]   Take back the last message,',
    '            its changes too',
  ]);
  expect(hanging(text, 30, { style, width: 30 })).toEqual([
    '/undo [N]   Take back the last',
    'message, its changes too',
  ]);
  expect(hanging('One sentence.', 40, { style, width: 40 })).toEqual(['One sentence.']);
});
