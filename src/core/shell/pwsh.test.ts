import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blankStrings, pwshCommands, pwshFunctions } from './pwsh.ts';

describe('the commands of a PowerShell script', () => {
  test.each([
    ['Get-Item a | Sort-Object Name', ['Get-Item', 'Sort-Object']],
    ['$x = Get-Date; Write-Host "Get-Stuff; x"', ['Get-Date', 'Write-Host']],
    ['if (Test-Path a) { Remove-Item a } # Get-Stuff', ['Test-Path', 'Remove-Item']],
    ['& ./run.ps1 -x', ['./run.ps1']],
    ["@'\nGet-Stuff\n'@ | Out-File a", ['Out-File']],
  ])('%s', (text, expected) => {
    const names = pwshCommands(text).commands.map((command) => command.words[0]!);
    expect(names.filter((name) => /^(?!if$)[\w.]/.test(name))).toEqual(expected);
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
