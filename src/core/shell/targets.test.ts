import { describe, expect, it } from 'vitest';
import { commandAt } from './commands.ts';
import { targetsOf } from './targets.ts';

/** `path` read, `path!` written, `path/**` with all below, `path@` without following a link at the end. */
function told(command: string): string[] {
  const words = command.split(' ');
  const at = commandAt(words);
  const operands = words.slice(at + 1).map((value) => ({ value, matched: false }));
  return targetsOf(words[at] ?? '', operands).map(({ index, skip, follow, below, writes, remote }) => {
    const path = operands[index]?.value.slice(skip) ?? '';
    return `${path}${below ? '/**' : ''}${writes ? '!' : ''}${follow ? '' : '@'}${remote ? ' there' : ''}`;
  });
}

describe('what a command would do to its words', () => {
  it.each([
    ['rm a b', ['a!@', 'b!@']],
    ['rm -rf a -- -b', ['a/**!@', '-b/**!@']],
    ['sudo -u me rm -r a', ['a/**!@']],
    ['env X=1 timeout 5 rm a', ['a!@']],
    ['chmod -R 755 a', ['a/**!']],
    ['chmod -x a', ['a!']],
    ['chown --reference=r a', ['a!']],
    ['mv a b dir', ['a/**!@', 'b/**!@', 'dir!']],
    ['cp -t dir a', ['a', 'dir!']],
    ['cp -r a b', ['a/**', 'b!']],
    ['scp a host:/b', ['a', 'host:/b! there']],
    ['curl -o out/x https://e.example', ['out/x!']],
    ['tar xf a.tar -C out', ['xf', 'a.tar', 'out!']],
    ['perl -pi -e s/a/b/ f', ['f!']],
    ['dd if=a of=b', ['a', 'b!']],
    ['find a b -name x', ['a@', 'b@']],
    ['find -L a -delete', ['a/**!']],
    ['find a -exec rm {} ;', ['a/**!@']],
    ['sed -i s/a/b/ f', ['f!']],
    ['touch -d now f', ['f!']],
    ['ssh host rm -rf /x', []],
    ['npm run build', []],
    ['tool --out=./x src/y https://e.example/z', ['./x', 'src/y']],
    ['constructor ./x', ['./x']],
  ])('%s', (command, expected) => {
    expect(told(command)).toEqual(expected);
  });
});
