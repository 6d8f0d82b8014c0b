import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bashCommands } from './bash-commands.ts';
import { blankStrings, pwshCommands, pwshFunctions } from './pwsh-commands.ts';
import { quickCommands } from './quick-commands.ts';

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

describe('the quick reader', () => {
  const agree = (text: string): boolean => {
    const quick = quickCommands(text);
    if (quick !== null) expect(quick, text).toEqual(bashCommands(text));
    return quick !== null;
  };

  test.each([
    'npm ci',
    'make part | tee "out/1.log" && test -s out/1.log',
    "grep -q 'a b' f || echo no > out/x 2>&1; ls",
    'sudo -u bob apt-get install -y curl < in',
    'cp $HOME/a b/$x;',
  ])('reads %s', (text) => {
    expect(agree(text)).toBe(true);
  });

  test('agrees with the grammar wherever it does not give up', () => {
    const piece = fc.constantFrom(
      ...[
        'ls',
        'a',
        '-x',
        'X=1',
        'sudo',
        'env',
        '/bin/x',
        '"a b"',
        "'c'",
        '""',
        '$x',
        '$HOME/a',
        'a$x',
        '2',
        '1',
        ' ',
        ' ',
        ' ',
        '|',
        '||',
        '&&',
        ';',
      ],
      ...[
        '>',
        '>>',
        '2>',
        '2>&1',
        '<',
        '&',
        '\n',
        '(',
        ')',
        '{',
        '}',
        '*',
        '~',
        '#',
        '!',
        '\\',
        '`',
        '$',
        '$(',
        '"',
        "'",
        'if',
        'time',
        'export',
        '[',
        ']',
        '=',
        ',',
        '<<',
        '<(',
        '>&',
        '|&',
        ';;',
        '\t',
        'é',
      ],
    );
    let quick = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        if (agree(pieces.join(''))) quick++;
        if (agree(pieces.join(' '))) quick++;
      }),
      { numRuns: 20_000, seed: 15 },
    );
    expect(quick).toBeGreaterThan(500);
  });
});

describe('the commands of a PowerShell script', () => {
  test.each([
    ['Get-Item a | Sort-Object Name', ['Get-Item', 'Sort-Object']],
    ['$x = Get-Date; Write-Host "Get-Stuff; x"', ['Get-Date', 'Write-Host']],
    ['if (Test-Path a) { Remove-Item a } # Get-Stuff', ['Test-Path', 'Remove-Item']],
    ['& ./run.ps1 -x', ['./run.ps1']],
    ["@'\nGet-Stuff\n'@ | Out-File a", ['Out-File']],
  ])('%s', (text, expected) => {
    const names = pwshCommands(text).map((command) => command.words[0]!);
    expect(names.filter((name) => name !== 'if')).toEqual(expected);
  });

  test('functions are found, and strings keep their length', () => {
    expect([...pwshFunctions('function Get-Stuff { 1 }')]).toEqual(['get-stuff']);
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(blankStrings(text)).toHaveLength(text.length);
      }),
      { numRuns: 500, seed: 16 },
    );
  });
});
