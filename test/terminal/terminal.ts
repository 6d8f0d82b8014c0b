import { execFileSync } from 'node:child_process';
import { describe, type TestContext } from 'vitest';
import { type Bench, openBench } from '../support/cli.ts';
import { BIN } from '../support/program.ts';
import { openPane, type Pane } from '../view/tmux.ts';

const hasTmux = (() => {
  try {
    execFileSync('tmux', ['-V']);
    return true;
  } catch {
    return false;
  }
})();

if (!hasTmux && process.env['CI'] === 'true') throw new Error('tmux is missing, and CI needs every test');
if (!hasTmux) process.stderr.write('tmux is missing: the tests in a terminal are left out\n');

/** A `describe` for what needs a real terminal. */
export const inTerminal = describe.runIf(hasTmux);

/** A folder and a terminal in it, with the program at hand. Both are gone when the test ends. */
export interface Desk {
  bench: Bench;
  pane: Pane;
  /** Types `planwright …`. */
  type(command: string): void;
  /** Waits until what was typed last has ended: with which code, and what the screen then shows. */
  ended(): Promise<{ code: number; screen: string }>;
  /** The last run here. */
  row(): Promise<{ id: string; state: string; stopReason: string | null; stepsDone: number }>;
}

export interface Place {
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
}

export function sitDown(
  { onTestFinished }: TestContext,
  { columns = 80, rows = 30, env = {} }: Place = {},
): Desk {
  const bench = openBench({ here: true });
  const pane = openPane(
    columns,
    rows,
    {
      LANG: 'C.UTF-8',
      LC_ALL: '',
      CI: '',
      GITHUB_ACTIONS: '',
      PLANWRIGHT_HOME: bench.home,
      ...env,
    },
    `cd '${bench.workspace}'; n=0; pw() { '${process.execPath}' '${BIN}' "$@"; echo "end $((n += 1)): $?"; }; clear`,
  );
  onTestFinished(() => {
    pane.close();
    bench.clean();
  });
  let typed = 0;
  return {
    bench,
    pane,
    type(command) {
      typed += 1;
      pane.send(`pw ${command}`, 'Enter');
    },
    async ended() {
      const line = new RegExp(`^end ${typed}: (\\d+)$`, 'm');
      const screen = await pane.until(line);
      return { code: Number(line.exec(screen)?.[1]), screen };
    },
    row: async () => JSON.parse((await bench.run(['runs', '--json'])).stdout)[0],
  };
}

/** A plan of steps, as JSON, which is YAML too. */
export const plan = (...steps: object[]): string =>
  JSON.stringify({
    goal: 'Try the terminal',
    plan: steps.map((step, n) => ({ step: `Step ${n + 1}`, ...step })),
  });

/** A step that waits until the test writes this file. */
export const untilThere = (file: string): object => ({
  action: `RUN_COMMAND touch started; until test -f ${file}; do sleep 0.1; done`,
});
