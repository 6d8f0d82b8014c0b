import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { asLine, wordsBefore } from '../../src/core/guard/settings/index.ts';
import { BIN } from '../support/program.ts';

/**
 * An agent is a shell here: it asks the guard about something harmless, as its hook does, and then decides for the person by
 * names that no text of a command gives away.
 */
test.runIf(process.platform === 'linux')(
  'an agent that asks the guard decides nothing, whatever it calls Planwright, and the person beside it does',
  () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-guard-')));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const work = join(home, 'work');
    mkdirSync(work);
    const env = { PATH: process.env['PATH'], HOME: home, PLANWRIGHT_HOME: join(home, 'pw') };
    const words = [process.execPath, BIN];
    const hook = asLine(wordsBefore('claude-code', { words, checkpoints: 'off' }));
    const call = { session_id: 's', cwd: work, hook_event_name: 'PreToolUse', tool_name: 'Bash' };
    const input = JSON.stringify({ ...call, tool_input: { command: 'ls' } });
    const tries = [`${asLine(words)} trust .`, `ln -s ${BIN} q; ./q trust .`];
    const script = `${hook}; ${tries.map((one) => `{ ${one}; } 2>&1; echo "= $?"`).join('; ')}`;
    const { stdout } = spawnSync('bash', ['-c', script], { cwd: work, env, input, encoding: 'utf8' });
    expect(stdout).toMatch(/^\{\}\n/);
    expect(stdout.match(/a process that claude-code started may only look/g)).toHaveLength(2);
    const person = spawnSync(process.execPath, [BIN, 'trust', '.'], { cwd: work, env, encoding: 'utf8' });
    expect([person.status, person.stderr]).toEqual([0, expect.stringContaining(work)]);
  },
);
