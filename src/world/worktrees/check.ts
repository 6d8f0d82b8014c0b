import type { CheckResult } from '../../core/contract/tasks/index.ts';
import {
  classifyDenial,
  endGroup,
  endMarked,
  keepTail,
  type SandboxPolicy,
  startCommand,
} from '../process/index.ts';

export interface Checking {
  run: string;
  epoch: number;
  folder: string;
  /** What the run's processes are started with. */
  env: Readonly<Record<string, string>>;
  /** Null: they run outside, because a person said so. */
  sandbox: SandboxPolicy | null;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Runs commands one after the other until one fails. Leaves nothing running. Never throws. */
export async function runChecks(commands: readonly string[], checking: Checking): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  // What a driver before this one was at when it was killed.
  await endMarked({ run: checking.run, epoch: checking.epoch - 1 });
  for (const [at, command] of commands.entries()) {
    const result = await runCheck(command, `check-${at + 1}`, checking);
    results.push(result);
    if (result.exitCode !== 0) break;
  }
  return results;
}

async function runCheck(command: string, step: string, checking: Checking): Promise<CheckResult> {
  const { run, epoch, folder, env, sandbox, timeoutMs, signal } = checking;
  const began = performance.now();
  const ended = (exitCode: number | null, tail: string): CheckResult => ({
    command,
    exitCode,
    tail,
    durationMs: Math.round(performance.now() - began),
  });
  const [tail, errors] = [keepTail(), keepTail()];
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  try {
    const started = await startCommand({
      script: command,
      shell: 'bash',
      baseEnv: env,
      session: { cwd: folder, env: {} },
      marker: { run, step, epoch },
      onOutput: (stream, bytes) => {
        tail.add(bytes);
        if (stream === 'stderr') errors.add(bytes);
      },
      signal: AbortSignal.any([signal, timeout.signal]),
      ...(sandbox === null ? {} : { sandbox }),
    });
    if (!started.ok) return ended(null, `it was not started: ${started.message}`);
    started.command.open();
    const end = await started.command.done;
    if (end.leftover) await endGroup(started.command.group, { run });
    await endMarked({ run, step, epoch });
    if (timeout.signal.aborted)
      return ended(null, `${tail.text()}\nit took longer than ${timeoutMs / 1000} s`);
    if (signal.aborted) return ended(null, `${tail.text()}\nit was stopped`);
    const { exitCode, quietly } = end;
    // What ended well has done what it was to do, whatever of it is gone with the sandbox.
    const denial =
      sandbox === null || exitCode === 0
        ? null
        : classifyDenial({
            ...{ exitCode, quietly, cwd: folder, script: command },
            policy: sandbox,
            stderrTail: errors.text(),
          });
    const told = denial === null ? '' : `\nthe sandbox refused it: ${denial.detail}`;
    return ended(exitCode, `${tail.text()}${told}`);
  } finally {
    clearTimeout(timer);
  }
}
