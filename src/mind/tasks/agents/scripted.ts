import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Agent,
  type AgentContext,
  type AgentRunResult,
  createStops,
  failedRun,
  messageOf,
  nothingSpent,
} from '../agent.ts';
import { type Script, type ScriptStep, stepsFor } from './script.ts';

/** An agent that does what was written down for it: for trying a pipeline out, and for tests. It costs nothing. */
export function createScriptedAgent(type: string, script: Script): Agent {
  const stops = createStops();
  return {
    type,
    isAvailable: async () => true,
    stop: stops.stop,
    async execute(context, _config, onOutput, _onLog, onPromptBuilt) {
      const signal = stops.begin(context.run);
      onPromptBuilt?.(context.prompt);
      try {
        for (const step of stepsFor(script, context.mode, context.brief)) {
          if (signal.aborted) return failedRun('stopped', 'it was stopped');
          const ended = await perform(step, context, signal, onOutput);
          if (ended !== null) return ended;
        }
        return failedRun('error', 'the script ends without saying what it came to');
      } catch (error) {
        return failedRun(signal.aborted ? 'stopped' : 'error', messageOf(error));
      } finally {
        stops.end(context.run);
      }
    },
  };
}

async function perform(
  step: ScriptStep,
  { worktree, host }: AgentContext,
  signal: AbortSignal,
  onOutput?: (chunk: string) => void,
): Promise<AgentRunResult | null> {
  if ('say' in step) onOutput?.(step.say);
  if ('write' in step) {
    const path = within(worktree, step.write);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, step.text);
  }
  if ('remove' in step) await rm(within(worktree, step.remove), { recursive: true, force: true });
  if ('commit' in step) await host.commit(step.commit);
  if ('await' in step) {
    const path = within(worktree, step.await);
    while (!existsSync(path)) await sleep(20, undefined, { signal });
  }
  if ('fail' in step) return failedRun('error', step.fail);
  if (!('finish' in step)) return null;
  return {
    ...nothingSpent,
    exitCode: 0,
    outcome: step.finish,
    payload: step.payload ?? {},
    why: null,
    message: null,
  };
}

function within(folder: string, path: string): string {
  const place = join(folder, path);
  if (relative(folder, place).split('/')[0] === '..') throw new Error(`${path} is outside of the worktree`);
  return place;
}
