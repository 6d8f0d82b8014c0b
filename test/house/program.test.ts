import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { start } from '../support/processes.ts';
import { BIN } from '../support/program.ts';
import { nameOf } from '../support/setup.ts';

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-program-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('what tests start has another name as soon as anything that it is made of is another', () => {
  const checkout = temporary();
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(checkout, file)), { recursive: true });
    writeFileSync(join(checkout, file), text);
    return nameOf(checkout).name;
  };
  const made = [
    write('src/core/a.ts', '1'),
    write('src/core/a.ts', '2'),
    write('src/core/b.ts', '1'),
    write('test/crash/driver.ts', '1'),
    write('scripts/bundle.ts', '1'),
    write('bin/planwright.js', '1'),
    write('node_modules/.package-lock.json', '1'),
  ];
  expect(new Set(made).size).toBe(made.length);
  expect(write('src/core/a.test.ts', '1'), 'a test is no part of it').toBe(made.at(-1));
  expect(write('bin/planwright.js', '1')).toBe(made.at(-1));
});

test.each([
  ['the sources, as in a checkout', join(import.meta.dirname, '../../bin/planwright.js')],
  ['the bundle that tests start', BIN],
])('a plan runs from %s', async (_, bin) => {
  const cwd = temporary();
  const env = { ...process.env, CI: 'true', PLANWRIGHT_HOME: join(cwd, 'home') };
  const plan = { goal: 'g', plan: [{ step: 's', action: 'RUN_COMMAND touch made' }] };
  writeFileSync(join(cwd, 'plan.json'), JSON.stringify(plan));
  const { code, stderr } = await start(process.execPath, [bin, 'run', 'plan.json', '--yes'], { cwd, env })
    .ended;
  expect(code, stderr).toBe(0);
  expect(existsSync(join(cwd, 'made'))).toBe(true);
});
