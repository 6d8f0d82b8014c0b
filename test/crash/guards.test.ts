import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openApp } from '../../src/doors/app/app.ts';
import { createRandom } from '../simulation/random.ts';
import { BIN } from '../support/program.ts';
import { howMany } from '../support/scale.ts';

/** A hook that is killed at any moment has written its verdict whole or not at all, and the next one finds all in order. */
it('a guard killed while it judges, keeps the folder and writes loses nothing that was answered', async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-guard-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const work = join(home, 'work');
  mkdirSync(work);
  execFileSync('git', ['init', '-q', work]);
  writeFileSync(join(work, 'a'), 'before\n');
  const env = { PATH: process.env['PATH'], HOME: home, PLANWRIGHT_HOME: join(home, 'pw') };
  const tell = async (id: string, event: string, killAfter?: number): Promise<boolean> => {
    const call = { session_id: 's', cwd: work, hook_event_name: event, tool_name: 'Bash', tool_use_id: id };
    const args = [BIN, 'guard', 'hook', 'codex', '--checkpoints=on'];
    const hook = spawn(process.execPath, args, { cwd: work, env, stdio: ['pipe', 'pipe', 'ignore'] });
    // One that is killed reads no more.
    hook.stdin.on('error', () => undefined);
    hook.stdin.end(JSON.stringify({ ...call, tool_input: { command: 'npm test' } }));
    const timer = killAfter === undefined ? undefined : setTimeout(() => hook.kill('SIGKILL'), killAfter);
    let said = '';
    hook.stdout.on('data', (part) => {
      said += String(part);
    });
    await once(hook, 'close');
    clearTimeout(timer);
    return said === '{}\n';
  };
  const random = createRandom(11);
  const answered: string[] = [];
  for (let n = 0; n < howMany(25, 4); n += 1) {
    if (await tell(`k${n}`, 'PreToolUse', random.int(700))) answered.push(`k${n}`);
    await tell(`k${n}`, 'PostToolUse', random.int(700));
  }
  expect(await tell('whole', 'PreToolUse')).toBe(true);
  writeFileSync(join(work, 'a'), 'agent\n');
  expect(await tell('whole', 'PostToolUse')).toBe(true);
  const app = await openApp({ env, cwd: work });
  onTestFinished(() => app.close());
  const [row, ...others] = await app.guards.list();
  expect(others).toEqual([]);
  const { calls, unreadable } = await app.guards.state(row!.id);
  expect(unreadable).toEqual([]);
  const names = calls.map(({ call }) => call);
  expect(names).toEqual(expect.arrayContaining([...answered, 'whole']));
  expect(new Set(names).size).toBe(names.length);
  expect(row?.calls).toBe(calls.length);
  const { restore } = await app.guards.undoPreview(row!.id, {});
  expect(restore.map(({ path }) => path)).toEqual(['a']);
});
