import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BIN } from '../support/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'planwright-full-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plan = 'goal: g\nplan:\n  - step: say\n    action: RUN_COMMAND seq 1 100000\n';
writeFileSync(join(folder, 'plan.yaml'), plan);
writeFileSync(
  join(folder, 'try.sh'),
  `pw() { echo "== $*"; "$NODE" "$BIN" "$@" 2>&1; echo "rc $?"; }
pw run plan.yaml -y >/dev/null
dd if=/dev/zero of=$PLANWRIGHT_HOME/filler bs=512 2>/dev/null
dd if=/dev/zero of=$PLANWRIGHT_HOME/filler2 bs=1 count=4096 2>/dev/null
pw runs
pw show
pw logs
pw gc --keep-days 0 --keep-runs 0
pw runs --all
`,
);
chmodSync(join(folder, 'try.sh'), 0o755);

test('on a full disk runs and show work, and gc makes room', () => {
  const home = join(folder, 'home');
  const { stdout } = spawnSync(
    'bwrap',
    [
      '--bind',
      '/',
      '/',
      '--dev',
      '/dev',
      '--size',
      '8000000',
      '--tmpfs',
      home,
      '--',
      'bash',
      join(folder, 'try.sh'),
    ],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PLANWRIGHT_HOME: home, NODE: process.execPath, BIN },
    },
  );
  const parts = new Map(
    stdout
      .split('== ')
      .slice(1)
      .map((part) => [part.split('\n')[0]!, part]),
  );
  expect(parts.get('runs')).toMatch(/done .* g\nrc 0/);
  expect(parts.get('show')).toContain('rc 0');
  expect(parts.get('logs')).toMatch(/100000\nrc 0/);
  expect(parts.get('gc --keep-days 0 --keep-runs 0')).toMatch(
    /Removed 1 finished run and freed 0\.6 MB\.[\s\S]*rc 0/,
  );
  expect(parts.get('runs --all')).toMatch(/No runs yet[\s\S]*rc 0/);
});
