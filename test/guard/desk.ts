import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { GuardedAgent } from '../../src/core/contract/guard/index.ts';
import { type App, openApp } from '../../src/doors/app/app.ts';
import { answerHook, type GuardCheckpoints } from '../../src/doors/app/guard/hook.ts';

interface Called {
  agent?: GuardedAgent;
  tool?: string;
  cwd?: string;
  more?: object;
  program?: string;
  checkpoints?: GuardCheckpoints;
}

/** A home with a repository in it that an agent works in, for one test. */
export interface Desk {
  home: string;
  work: string;
  env: Record<string, string | undefined>;
  /** What the hook's text is answered with, whatever it is. */
  tell(text: string, given?: Pick<Called, 'agent' | 'checkpoints' | 'program'>): Promise<string>;
  /** What is decided on a call of a tool; where nothing is, all that is said. */
  call(given: string | object, how?: Called): Promise<string>;
  /** Until the end of the test. */
  open(): Promise<App>;
}

export function openDesk(): Desk {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-guard-')));
  const work = join(home, 'code', 'site');
  mkdirSync(join(work, '.git'), { recursive: true });
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'], HOME: home, PLANWRIGHT_HOME: join(home, 'pw') };
  const tell: Desk['tell'] = async (text, { agent = 'claude-code', checkpoints = 'off', program } = {}) =>
    (await answerHook({ agent, text, env, checkpoints, program })).stdout;
  return {
    home,
    work,
    env,
    tell,
    async call(given, { tool = 'Bash', cwd = work, more, ...how } = {}) {
      const tool_input = typeof given === 'string' ? { command: given } : given;
      const input = { session_id: 'one', cwd, hook_event_name: 'PreToolUse', tool_name: tool, tool_input };
      const said = await tell(JSON.stringify({ ...input, ...more }), how);
      return /"permissionDecision":"(\w+)"/.exec(said)?.[1] ?? said.trim();
    },
    async open() {
      const app = await openApp({ env, cwd: work });
      onTestFinished(() => app.close());
      return app;
    },
  };
}
