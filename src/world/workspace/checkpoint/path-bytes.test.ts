import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ancestorsOf, fromBytes, namesGit, toBytes } from './path-bytes.ts';

describe('a path', () => {
  test('is the same bytes after being a string, whatever bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(toBytes(fromBytes(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
      }),
      { seed: 7, numRuns: 2_000 },
    );
  });
  test('survives JSON', () => {
    const path = fromBytes(Buffer.from([0x61, 0xff, 0xc3, 0xbc, 0xed, 0xb2, 0x80]));
    expect(path).toBe('a\udcffü\udced\udcb2\udc80');
    expect(JSON.parse(JSON.stringify(path))).toBe(path);
  });
  test('that is text is that text, the replacement character too', () => {
    for (const text of ['日本', '🎉\udcff'.slice(0, 2), '\ufffd', 'e\u0301'])
      expect(fromBytes(Buffer.from(text))).toBe(text);
  });
  test('has ancestors, outermost first', () => {
    expect(ancestorsOf('a/b/c')).toEqual(['a', 'a/b']);
    expect(ancestorsOf('a')).toEqual([]);
  });
  test('is git’s own in any spelling of .git', () => {
    expect(['.git/config', 'a/.GIT', 'a/.gitignore', 'x.git'].map(namesGit)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
