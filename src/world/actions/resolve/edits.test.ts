import { describe, expect, it } from 'vitest';
import { quoteWord } from '../../../core/shell/index.ts';
import { createEdits } from './edits.ts';

describe('edits', () => {
  it('put quoted words in the place of others, and find the way back', () => {
    const source = 'rm -rf $A && ls $B | wc';
    const edits = createEdits(source.length);
    edits.add(7, 9, quoteWord("it's a long name"));
    edits.add(16, 18, quoteWord(''));
    const [variant] = edits.variants(source);
    expect(variant?.text).toBe(`rm -rf 'it'\\''s a long name' && ls '' | wc`);
    const back = (part: string): string => {
      const at = variant?.text.indexOf(part) ?? 0;
      return source.slice(...(variant?.back([at, at + part.length]) ?? [0, 0]));
    };
    expect(back('rm -rf')).toBe('rm -rf');
    expect(back('long name')).toBe('$A');
    expect(back("ls ''")).toBe('ls $B');
    expect(back('wc')).toBe('wc');
  });

  it('make a variant for each alternative, and share them where there are too many', () => {
    const edits = createEdits(6);
    for (let round = 0; round < 100; round++) edits.add(4, 6, `'${round}'`);
    const variants = edits.variants('rm $d ');
    expect(variants).toHaveLength(64);
    const all = variants.map(({ text }) => text).join(' ');
    for (let round = 0; round < 100; round++) expect(all).toContain(`'${round}'`);
  });
});
