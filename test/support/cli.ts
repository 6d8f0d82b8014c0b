import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, type Running, start } from './processes.ts';
import { BIN } from './program.ts';

/** A home and a workspace of their own, and the real program in them. */
export interface Bench {
  home: string;
  workspace: string;
  /** Starts `planwright` there; without a terminal. */
  start(args: string[], env?: NodeJS.ProcessEnv): Running;
  run(args: string[], env?: NodeJS.ProcessEnv): Promise<Ended>;
  write(name: string, content: string | Uint8Array): string;
  path(name: string): string;
  clean(): void;
}

export function openBench(): Bench {
  const home = mkdtempSync(join(tmpdir(), 'planwright-home-'));
  const workspace = mkdtempSync(join(tmpdir(), 'planwright-work-'));
  const begin = (args: string[], env: NodeJS.ProcessEnv = {}) => {
    const { CI: _ci, FORCE_COLOR: _color, ...inherited } = process.env;
    return start(process.execPath, [BIN, ...args], {
      cwd: workspace,
      env: { ...inherited, PLANWRIGHT_HOME: home, ...env },
    });
  };
  return {
    home,
    workspace,
    start: begin,
    run: (args, env) => begin(args, env).ended,
    write(name, content) {
      writeFileSync(join(workspace, name), content);
      return name;
    },
    path: (name) => join(workspace, name),
    clean() {
      for (const folder of [home, workspace]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A plan file whose steps are these commands. */
export const planOf = (...commands: string[]): string =>
  JSON.stringify({
    goal: 'a plan',
    plan: commands.map((command, n) => ({ step: `Step ${n + 1}`, action: `RUN_COMMAND ${command}` })),
  });
