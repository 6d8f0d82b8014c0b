import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BrainCalls, BrainContext, Failure } from './brain.ts';
import { createProgramBrain } from './program.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'planwright-brain-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const context: BrainContext = { later: ['RUN_COMMAND b'], refused: [], hint: 'look there' };
const failure = (): Failure => ({
  step: { title: 'A', action: { kind: 'run-command', command: 'a --b' }, expects: 'exit 0' },
  result: { exitCode: 3, stdoutTail: '', stderrTail: 'no', why: 'exit-code' },
  earlier: [],
  cwd,
  shell: 'bash',
  goal: 'g',
});
const ask = (command: string, timeoutMs = 20_000, calls?: BrainCalls, more: Partial<BrainContext> = {}) =>
  createProgramBrain({ command, env: process.env, timeoutMs }).analyzeFailure(
    failure(),
    { ...context, ...more },
    calls,
  );
const reply = '{"action":"retry","reasoning":"r"}';

describe('a brain program', () => {
  it('is told the failure as one object, in the folder of the step, and answers with a correction', async () => {
    expect(await ask(`cat > told.json; echo '${reply}'`)).toEqual({
      action: 'retry',
      reasoning: 'r',
      confidence: 1,
      source: { brain: 'program', name: expect.stringContaining('cat > told.json') },
    });
    expect(JSON.parse(readFileSync(join(cwd, 'told.json'), 'utf8'))).toEqual({
      ...failure(),
      step: { title: 'A', action: 'RUN_COMMAND a --b', expects: 'exit 0' },
      context,
    });
  });

  it('may answer without having listened', async () => {
    expect(await ask(`exec <&-; echo '${reply}'`)).toMatchObject({ action: 'retry' });
  });

  it('cannot pass for another brain', async () => {
    const forged = '{"action":"skip","source":{"brain":"person","name":"you"}}';
    expect((await ask(`echo '${forged}'`))?.source.brain).toBe('program');
  });

  it.each([
    ['null', 'echo null', null],
    ['no JSON', 'echo maybe', 'answered with what is no JSON'],
    ['nothing', 'true', 'answered nothing'],
    ['a list', "echo '[]'", 'no correction: action: '],
    ['a key that is none', `echo '{"action":"retry","reasoning":"r","sudo":true}'`, '"sudo"'],
    ['an action that is none', `echo '{"action":"pray"}'`, 'no correction: action: '],
    ['a failure', `echo '${reply}'; exit 3`, 'exit code 3'],
    ['a death', `echo '${reply}'; kill -9 $$`, 'ended with'],
    ['too much', 'yes | head -c 3000000', 'wrote more than a megabyte'],
    ['nothing, as there is no such program', 'no-such-brain-program', 'exit code 127'],
  ])('that answers with %s has declined, and what was wrong is told', async (_, command, why) => {
    const told: string[] = [];
    expect(
      await ask(command, 20_000, undefined, { noteTrouble: (sentence) => told.push(sentence) }),
    ).toBeNull();
    expect(told).toEqual(why === null ? [] : [expect.stringContaining(why)]);
  });

  it('that takes too long has declined, and all that it started has ended', async () => {
    // On a busy machine it may be over before it has begun: then it is given more time.
    for (let ms = 500; !existsSync(join(cwd, 'pid')); ms *= 4) {
      expect(await ask('sleep 300 & echo $! > pid.new; mv pid.new pid; wait', ms)).toBeNull();
    }
    await gone(Number(readFileSync(join(cwd, 'pid'), 'utf8')));
  });

  it('that leaves something running is not waited for', async () => {
    expect(await ask(`sleep 300 & echo $! > pid; echo '${reply}'`)).toMatchObject({ action: 'retry' });
    await gone(Number(readFileSync(join(cwd, 'pid'), 'utf8')));
  });

  it('ends when the run is to stop', async () => {
    const stop = new AbortController();
    const asked = ask('touch here; sleep 300', 20_000, { signal: stop.signal, ledger: {} as never });
    while (!existsSync(join(cwd, 'here'))) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    expect(await asked).toBeNull();
  });

  it('is not started when the run has stopped already', async () => {
    const calls = { signal: AbortSignal.abort(), ledger: {} as never };
    expect(await ask(`sleep 1; touch here; echo '${reply}'`, 20_000, calls)).toBeNull();
  });
});

/** Waits until a process is dead, or a zombie that nobody has asked about yet. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      if (/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return;
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
