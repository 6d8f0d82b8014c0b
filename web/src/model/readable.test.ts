import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contrast, readable, textOn } from './readable.ts';

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

/** What a line of output is drawn on: as it is, under the pointer, and chosen. */
function groundsOf(selector: string): string[] {
  const code = valuesOf(selector).get('code')!;
  const block = css.split(`${selector} {`)[1]!.split('}')[0]!;
  const laid = ['hover', 'sel'].map((name) => {
    const [, r, g, b, share] = new RegExp(`--${name}: rgb\\((\\d+) (\\d+) (\\d+) / ([\\d.]+)\\)`).exec(
      block,
    )!;
    const under = [1, 3, 5].map((at) => Number.parseInt(code.slice(at, at + 2), 16));
    const over = [r, g, b].map(Number);
    const mixed = under.map((part, at) => Math.round(part + (over[at]! - part) * Number(share)));
    return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  });
  return [code, ...laid];
}

test('whatever colour a program takes can be read on either theme, on every line', () => {
  for (const colour of ['#ff8700', '#0000cc', '#000000', '#ffffff', '#777777', '#00ff00']) {
    const { light, dark } = readable(colour);
    for (const ground of groundsOf('\n:root[data-theme="light"]'))
      expect([colour, ground, contrast(light, ground) >= 4.5]).toEqual([colour, ground, true]);
    for (const ground of groundsOf('\n:root'))
      expect([colour, ground, contrast(dark, ground) >= 4.5]).toEqual([colour, ground, true]);
    expect(contrast(textOn(colour), colour)).toBeGreaterThanOrEqual(4.5);
  }
  expect(readable('#5f87ff').dark).toBe('#5f87ff');
});

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
