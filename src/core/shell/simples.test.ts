import { describe, expect, test } from 'vitest';
import { readCommand } from './simples.ts';

describe('where a simple command runs, and whether its failure is that of the whole', () => {
  const shown = (text: string): string[] =>
    readCommand(text).simples.map(
      ({ program, folder, decides }) => `${program}@${folder ?? '?'}${decides ? '!' : ''}`,
    );

  test.each([
    ['make', ['make@!']],
    ['cd sub && make', ['cd@!', 'make@sub!']],
    ['cd sub; make', ['cd@', 'make@sub!']],
    ['(cd a && b); c', ['cd@', 'b@a', 'c@!']],
    ['{ cd a && b; }; c', ['cd@', 'b@a', 'c@a!']],
    ['pushd a/b && make && popd && ls', ['pushd@!', 'make@a/b!', 'popd@a/b!', 'ls@?!']],
    ['cd a/../b && cd .. && x', ['cd@!', 'cd@b!', 'x@!']],
    ['cd /opt/x && y', ['cd@!', 'y@/opt/x!']],
    ['cd "$HOME" && y', ['cd@!', 'y@?!']],
    ["bash -c 'cd sub && make'", ['bash@!', 'cd@!', 'make@sub!']],
    ['git -C repo status', ['git@repo!']],
    ['cd a && make -C b x', ['cd@!', 'make@a/b!']],
    ['npm --prefix=web run x', ['npm@web!']],
    ['env -C d make', ['make@d!']],
    ['make || true', ['make@', 'true@!']],
    ['make || { undo; false; }', ['make@!', 'undo@', 'false@!']],
    ['make; true', ['make@', 'true@!']],
    ['make | cat', ['make@', 'cat@!']],
    ['! make', ['make@']],
    ['make & wait', ['make@', 'wait@!']],
    ['if make; then ls; fi', ['make@', 'ls@!']],
    ['set -e\nmake\nls', ['set@', 'make@!', 'ls@!']],
  ])('%s', (text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  test('words inside of bash -c stand where they stand in the whole text', () => {
    const text = "bash -c 'cd x && gti status'";
    const { simples } = readCommand(text);
    const { name } = simples.at(-1)!;
    expect(text.slice(name.pos, name.end)).toBe('gti');
  });
});
