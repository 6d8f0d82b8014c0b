import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { EventOf, RunEvent, RunRow } from '../../src/core/contract/index.ts';
import { type Bench, openBench } from '../support/cli.ts';
import type { Ended } from '../support/processes.ts';

/** What a scripted brain answers with: a correction, any text, or a script that does as it likes. */
export type Answer = object | string | null | { sh: string };

/** What it was told each time. */
export interface Asked {
  step: { title: string; action: string; expects?: string };
  result: { exitCode: number | null; stderrTail: string; stdoutTail: string; why?: string };
  earlier: { action: string; correction?: { action: string } }[];
  cwd: string;
  shell: string;
  goal: string;
  context: {
    later: string[];
    refused: { reason: string; correction: { action: string; modifiedCommand?: string } }[];
    history: string;
    hint?: string;
  };
}

type Numbered<T> = T & { seq: number };

/** How a command ended, with the events that it printed. */
export interface Told extends Ended {
  events: Numbered<RunEvent>[];
  types: string[];
  of<T extends RunEvent['type']>(type: T): Numbered<EventOf<T>>[];
  last: Numbered<RunEvent>;
}

/** The real program in a folder of its own, with a brain that answers as the test says. */
export interface Stage extends Bench {
  env: Record<string, string>;
  /** The answers of the brain, one after the other; the last one is given for ever. */
  answers(...answers: Answer[]): void;
  asked(): Asked[];
  /** `run plan.yaml` in agentic mode. */
  mend(plan: string, args?: string[], env?: Record<string, string>): Promise<Told>;
  /** Any other command that prints events. */
  told(args: string[], env?: Record<string, string>): Promise<Told>;
  row(): Promise<RunRow>;
  has(name: string): boolean;
  read(name: string): string;
}

/**
 * Answers number n of the folder given, and writes down what it was told. It lies in the home, so that nothing a
 * step does in the workspace can be mistaken for its doing.
 */
const BRAIN = `
cd "$1" || exit 1
n=$(($(wc -l < asked) + 1))
cat >> asked; echo >> asked
while [ ! -f "answers/$n" ] && [ "$n" -gt 1 ]; do n=$((n - 1)); done
exec sh "answers/$n"
`;

const isScript = (answer: Answer): answer is { sh: string } =>
  typeof answer === 'object' && answer !== null && 'sh' in answer;

/** Fails until there is a file of the name given, and says so in words that no rule knows. */
export const NEED = '[ -f "$1" ] && exit 0\necho "need: no $1 today" >&2\nexit 7\n';

/** A brain program that answers as it was told to. */
export interface ScriptedBrain {
  /** The command line of the program. */
  program: string;
  /** What it answers from now on, one after the other; the last one is given for ever. */
  answers(...answers: Answer[]): void;
  /** What it was told since then. */
  asked(): Asked[];
}

export function openBrain(folder: string): ScriptedBrain {
  mkdirSync(join(folder, 'answers'), { recursive: true });
  writeFileSync(join(folder, 'asked'), '');
  writeFileSync(join(folder, 'brain.sh'), BRAIN);
  return {
    program: `sh '${folder}/brain.sh' '${folder}'`,
    answers(...answers) {
      rmSync(join(folder, 'answers'), { recursive: true });
      mkdirSync(join(folder, 'answers'));
      writeFileSync(join(folder, 'asked'), '');
      for (const [at, answer] of answers.entries()) {
        const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
        const script = isScript(answer) ? answer.sh : `cat <<'END'\n${text}\nEND\n`;
        writeFileSync(join(folder, 'answers', String(at + 1)), script);
      }
    },
    asked: () =>
      readFileSync(join(folder, 'asked'), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
}

export function openStage({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Stage {
  const bench = openBench({ here: true });
  onTestFinished(() => bench.clean());
  const brain = openBrain(join(bench.home, 'brain'));
  bench.write('need', NEED);
  const env = { PLANWRIGHT_BRAIN_PROGRAM: brain.program, PLANWRIGHT_SANDBOX: 'off' };
  const told = async (args: string[], more = {}): Promise<Told> => {
    const ended = await bench.run(args, { ...env, ...more });
    const events: Numbered<RunEvent>[] = ended.stdout
      .split('\n')
      .filter((line) => line.startsWith('{"'))
      .map((line) => JSON.parse(line));
    return {
      ...ended,
      events,
      types: events.map(({ type }) => type),
      of: (type) => events.filter((event) => event.type === type) as never,
      last: events.at(-1)!,
    };
  };
  return {
    ...bench,
    env,
    answers: brain.answers,
    asked: brain.asked,
    mend(plan, args = [], more = {}) {
      bench.write('plan.yaml', plan);
      return told(['run', 'plan.yaml', '--mode', 'agentic', '--yes', '--json', ...args], more);
    },
    told,
    row: async () => JSON.parse((await bench.run(['runs', '--json'])).stdout)[0],
    has: (name) => existsSync(bench.path(name)),
    read: (name) => readFileSync(bench.path(name), 'utf8'),
  };
}

/** A plan of action lines. */
export const steps = (...actions: (string | object)[]): string =>
  JSON.stringify({
    goal: 'a goal',
    plan: actions.map((action, n) => ({
      step: `Step ${n + 1}`,
      ...(typeof action === 'string' ? { action: `RUN_COMMAND ${action}` } : action),
    })),
  });

export const retry = (more: object = {}) => ({ action: 'retry', reasoning: 'Once more.', ...more });
export const modify = (modifiedCommand: string, more: object = {}) => ({
  action: 'modify',
  reasoning: 'Another way.',
  modifiedCommand,
  ...more,
});
export const insert = (...commands: string[]) => ({
  action: 'insert_steps',
  reasoning: 'This first.',
  newSteps: commands.map((command) => ({ step: `First ${command}`, action: `RUN_COMMAND ${command}` })),
});
export const skip = { action: 'skip', reasoning: 'It is not needed.' };
export const abort = { action: 'abort', reasoning: 'It cannot be done.' };
