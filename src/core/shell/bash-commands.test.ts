import { describe, expect, test } from 'vitest';
import { bashCommands } from './bash-commands.ts';

describe('the commands of a bash script', () => {
  test.each([
    ['ls -l | wc', ['ls -l', 'wc!']],
    ['sudo -u bob env A=1 timeout 5 make x', ['make x']],
    ['f() { ls; }; f && cat < a', ['ls', 'f', 'cat!']],
    ['echo "$(date)" `pwd`', ['echo $(date) `pwd`', 'date', 'pwd']],
    ['cat <<E\n$(id)\nE', ['cat!', 'id']],
    ['while read l; do echo; done < f', ['read l!', 'echo!']],
    ['serve & ls', ['serve&', 'ls']],
    ['A=1', []],
  ])('%s', (text, expected) => {
    const shown = bashCommands(text).commands.map(
      (command) => command.words.join(' ') + (command.fed ? '!' : '') + (command.background ? '&' : ''),
    );
    expect(shown).toEqual(expected);
  });

  test('functions and errors are found', () => {
    expect([...bashCommands('f() { ls; }').functions]).toEqual(['f']);
    expect(bashCommands('echo "x').error).not.toBeNull();
  });
});
