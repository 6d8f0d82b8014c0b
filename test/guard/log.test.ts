import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BIN } from '../support/program.ts';

test('calls of the hook, none of which closes the store, leave no log behind that grows and grows', () => {
  const home = mkdtempSync(join(tmpdir(), 'planwright-guard-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'], HOME: home, PLANWRIGHT_HOME: join(home, 'pw') };
  const call = { session_id: 's', cwd: home, hook_event_name: 'PreToolUse', tool_name: 'Bash' };
  const lengths = Array.from({ length: 10 }, (_, n) => {
    const input = JSON.stringify({
      ...call,
      tool_input: { command: `rm -rf / # ${`${n}`.repeat(200_000)}` },
    });
    const args = [BIN, 'guard', 'hook', 'codex', '--checkpoints=off'];
    expect(spawnSync(process.execPath, args, { input, env, encoding: 'utf8' }).stdout).toContain('deny');
    return statSync(join(home, 'pw/data/planwright.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
  });
  expect(Math.max(...lengths)).toBeGreaterThan(0);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(1024 * 1024);
});
