import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { main } from '../../src/doors/cli/main.ts';
import { type Ended, type Running, start } from './processes.ts';
import { BIN, program } from './program.ts';

/** A home and a workspace of their own, and the real program in them. */
export interface Bench {
  home: string;
  workspace: string;
  /** Starts `planwright` there; without a terminal. */
  start(args: string[], env?: NodeJS.ProcessEnv): Running;
  /** What it says and how it ends. */
  run(args: string[], env?: NodeJS.ProcessEnv): Promise<Ended>;
  write(name: string, content: string | Uint8Array): string;
  path(name: string): string;
  clean(): void;
}

/**
 * The published command line without a process of its own, where it is not the process that is tested: most of what a
 * command costs is its start. One at a time: two drivers are two processes.
 */
export async function runHere(args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const said: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' };
  const into = (name: keyof typeof said) =>
    new Writable({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        said[name] += chunk.toString();
        done();
      },
    });
  const context = { env, cwd, stdin: Readable.from([]), stdout: into('stdout'), stderr: into('stderr') };
  const code = await program().main(args, context as unknown as Parameters<typeof main>[1]);
  return { code, signal: null, ...said };
}

/** `here`: its commands run in this process, one after the other; what is started is a process all the same. */
export function openBench({ here = false } = {}): Bench {
  const home = mkdtempSync(join(tmpdir(), 'planwright-home-'));
  const workspace = mkdtempSync(join(tmpdir(), 'planwright-work-'));
  const given = (env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
    const { CI: _ci, FORCE_COLOR: _color, ...inherited } = process.env;
    return { ...inherited, PLANWRIGHT_HOME: home, ...env };
  };
  const begin = (args: string[], env?: NodeJS.ProcessEnv) =>
    start(process.execPath, [BIN, ...args], { cwd: workspace, env: given(env) });
  return {
    home,
    workspace,
    start: begin,
    run: (args, env) => (here ? runHere(args, workspace, given(env)) : begin(args, env).ended),
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
