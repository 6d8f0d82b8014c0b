import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findShell } from './find-shell.ts';
import { runScript, testEnvironment } from './testing.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pw-pwsh-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pwsh = findShell('pwsh', process.env['PATH']);

test('PowerShell is found by the PATH, told to stay quiet, and given the script at the gate', async () => {
  const fake = `#!/bin/bash\nprintf '%s\\n' "$@" > ${folder}/args; cat <&3 > ${folder}/script; cd /usr
printf 'declare -x A="1"\\n\\0%s\\n\\0' "$PWD" >&4; exit 3\n`;
  writeFileSync(join(folder, 'pwsh'), fake);
  chmodSync(join(folder, 'pwsh'), 0o755);
  const baseEnv = { ...testEnvironment, PATH: `${folder}:${testEnvironment['PATH']}` };
  const ran = await runScript('Get-ChildItem', { shell: 'pwsh', baseEnv });
  expect(ran).toMatchObject({ exitCode: 3, session: { cwd: '/usr', env: { A: '1' } } });
  const args = readFileSync(join(folder, 'args'), 'utf8').split('\n');
  expect(args.slice(0, 3)).toEqual(['-NoProfile', '-NonInteractive', '-Command']);
  expect(readFileSync(join(folder, 'script'), 'utf8')).toBe('Get-ChildItem\0');
});

test.skipIf(pwsh === null)('a real PowerShell carries directory and variables over', async () => {
  const ran = await runScript('Set-Location /usr; $env:A = "a`n`"$b"; Write-Output hello', { shell: 'pwsh' });
  expect(ran).toMatchObject({
    exitCode: 0,
    stdout: 'hello\n',
    session: { cwd: '/usr', env: { A: 'a\n"$b' } },
  });
  expect(await runScript('exit 7', { shell: 'pwsh' })).toMatchObject({ exitCode: 7 });
  expect(await runScript('Get-Item /nowhere', { shell: 'pwsh' })).toMatchObject({ exitCode: 1 });
});
