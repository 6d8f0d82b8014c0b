import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { type Bench, openBench } from '../support/cli.ts';
import { type Office, openOffice, planning, restating } from './models.ts';

/** No PowerShell is to be had everywhere: a stand-in keeps what it is given at the gate, and reports as it would. */
const STAND_IN = `#!/bin/bash
tr -d '\\0' <&3 > "$PWSH_SAW"
printf 'declare -x A="1"\\n\\0%s\\n\\0' "$PWD" >&4
`;

let bench: Bench;
let office: Office;
afterEach(async () => {
  bench.clean();
  await office.close();
});

const inBash = planning(['RUN_COMMAND ls -la | grep x']);
const inCmd = planning(['RUN_COMMAND dir /s /b']);
const inPwsh = planning(['RUN_COMMAND Get-ChildItem -Name']);

async function open(answers: Parameters<typeof openOffice>[0]) {
  bench = openBench({ here: true });
  writeFileSync(bench.path('pwsh'), STAND_IN);
  chmodSync(bench.path('pwsh'), 0o755);
  office = await openOffice(answers);
  const env = {
    ...office.env,
    PATH: `${bench.path('.')}:${process.env['PATH']}`,
    PWSH_SAW: bench.path('saw.txt'),
  };
  return (...args: string[]) => bench.run(args, env);
}

const yes = ['--yes', '--on-ask', 'fail'];

it('a goal is planned for PowerShell where the setting says so, checked as such, and run by it', async () => {
  const pw = await open({ big: [inBash, inCmd, inPwsh], small: inPwsh, quick: restating });
  expect((await pw('config', 'set', 'shell', 'pwsh')).code).toBe(0);
  const { code, stderr } = await pw('run', 'list the files', ...yes);
  expect(code, stderr).toBe(0);
  expect(office.asked.filter(({ model }) => model === 'big').map(({ prompt }) => prompt)).toEqual([
    expect.stringContaining('The shell is PowerShell'),
    expect.stringContaining("is not PowerShell's"),
    expect.stringContaining('dir /s'),
  ]);
  expect(readFileSync(bench.path('saw.txt'), 'utf8')).toBe('Get-ChildItem -Name');
});

it('--shell is stronger than the setting, for a goal and for an answer that is checked', async () => {
  const pw = await open({ big: inPwsh, small: inPwsh, quick: restating });
  const { code, stdout } = await pw('plan', 'list the files', '--shell', 'pwsh', '--yes');
  expect(code).toBe(0);
  expect(stdout).toContain('shell: pwsh');
  writeFileSync(bench.path('answer'), (inPwsh as { text: string }).text);
  expect((await pw('plan', 'check', bench.path('answer'), '--shell', 'pwsh')).stdout).toContain('accepted');
  expect((await pw('plan', 'check', bench.path('answer'))).stdout).toContain('not-native');
  expect((await pw('run', 'list the files', '--shell', 'fish')).code).toBe(2);
});
