import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contrast, readable, textOn } from './readable.ts';

test('whatever colour a program takes can be read on either theme', () => {
  for (const colour of ['#ff8700', '#0000cc', '#000000', '#ffffff', '#777777', '#00ff00']) {
    const { light, dark } = readable(colour);
    expect(contrast(light, '#ffffff')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark, '#0c0c0b')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(textOn(colour), colour)).toBeGreaterThanOrEqual(4.5);
  }
  expect(readable('#5f87ff').dark).toBe('#5f87ff');
});

const css = readFileSync(join(import.meta.dirname, '../theme.css'), 'utf8');
const valuesOf = (selector: string) => {
  const blocks = css
    .split(`${selector} {`)
    .slice(1)
    .map((rest) => rest.split('}')[0]!);
  return new Map(
    [...blocks.join('').matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]),
  );
};

test.each([':root', ':root[data-theme="light"]'])(
  'what the editor is drawn with can be read: %s',
  (theme) => {
    const values = valuesOf(`\n${theme}`);
    for (const text of ['text', 'dim', 'faint', 'fail'])
      for (const ground of ['surface', 'bg', 'code', 'raised'])
        expect([text, ground, contrast(values.get(text)!, values.get(ground)!) >= 4.5]).toEqual([
          text,
          ground,
          true,
        ]);
  },
);

test.each([':root', ':root[data-theme="light"]'])('the sixteen colours carry text: %s', (theme) => {
  const values = valuesOf(`\n${theme}`);
  for (const [name, value] of values)
    if (name.startsWith('ansi-') && name !== 'ansi-on') {
      const on = name === 'ansi-black' ? '#ffffff' : values.get('ansi-on')!;
      expect([name, contrast(on, value) >= 4.5]).toEqual([name, true]);
    }
});
