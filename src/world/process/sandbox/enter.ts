import { closeSync, openSync } from 'node:fs';
import type { Environment } from '../environment.ts';
import type { StartFailure } from '../start-failure.ts';
import { emptyFiles, sandboxArguments } from './arguments.ts';
import { inheritedDescriptors } from './descriptors.ts';
import type { Loopback } from './loopback.ts';
import { holdPlaceholders, removeUnwanted } from './placeholders.ts';
import { isWithin, type SandboxPolicy } from './policy.ts';
import { type SandboxMaker, sandboxMaker } from './probe.ts';
import { STATUS_FD, stageCommand } from './stage.ts';
import { realPath, type Survey, shows, surveySandbox } from './survey.ts';

/** What is to run inside. */
export interface Inside {
  command: string[];
  cwd: string;
  env: Environment;
}

/** How to start it. Whoever takes an entrance calls `leave`, once. */
export interface Entrance {
  file: string;
  args: string[];
  /** What bwrap reads at `OPTIONS_FD`: its options and the command's environment, which no other user shall see. */
  options: Buffer;
  /** Descriptors from `STATUS_FD` on, as spawn wants them. */
  stdio: ('pipe' | 'ignore' | number)[];
  /** To be called when the process was started, or could not be. */
  started(): void;
  /** Takes away what the guards stood on, and with it the guards: only when nothing inside runs any more. */
  leave(): void;
}

export type Entering = { ok: true; entrance: Entrance | null } | ({ ok: false } & StartFailure);

/**
 * Prepares a sandbox around a command. No entrance, and no failure, where the policy grants a privilege that no
 * sandbox can hold: then it runs outside. Never throws.
 */
export async function enterSandbox(policy: SandboxPolicy, inside: Inside): Promise<Entering> {
  const maker = await sandboxMaker();
  const fail = (code: StartFailure['code'], message: string): Entering => ({ ok: false, code, message });
  if (!maker.works) return fail('no-sandbox', `there is no sandbox. ${maker.why}`);
  if (policy.grants.privilege && maker.host.userNamespace) return { ok: true, entrance: null };
  const survey = surveySandbox(policy, maker.host);
  if (survey === null) return fail('no-directory', `the workspace ${policy.workspace} does not exist`);
  const folder = realPath(inside.cwd);
  if (folder === null) return fail('no-directory', `the directory ${inside.cwd} does not exist`);
  if (!shows(survey, folder))
    return fail('no-directory', `the directory ${inside.cwd} is hidden in the sandbox`);
  try {
    const cwd = seenAs(inside.cwd, folder, survey);
    const loopback = await loopbackFor(policy, survey);
    try {
      return { ok: true, entrance: makeEntrance(policy, { ...inside, cwd }, survey, maker, loopback) };
    } catch (error) {
      loopback?.close();
      throw error;
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fail('no-sandbox', `the sandbox could not be prepared: ${message}`);
  }
}

/** Null where it needs none, or Node is not seen inside: then a person is asked for the network, as for any other. */
async function loopbackFor(
  { loopback = [], grants }: SandboxPolicy,
  survey: Survey,
): Promise<Loopback | null> {
  const node = realPath(process.execPath);
  if (loopback.length === 0 || grants.network || grants.privilege) return null;
  if (node === null || !shows(survey, node) || !survey.private.includes('/run')) return null;
  const { openLoopback } = await import('./loopback.ts');
  return openLoopback(loopback, node);
}

function makeEntrance(
  policy: SandboxPolicy,
  inside: Inside,
  survey: Survey,
  { programs, host }: SandboxMaker & { works: true },
  loopback: Loopback | null,
): Entrance {
  const release = holdPlaceholders(survey.guards.missing);
  let nothing: number | null = null;
  const started = (): void => {
    if (nothing !== null) closeSync(nothing);
    nothing = null;
  };
  try {
    const overlays = { caches: survey.overlaid, scratch: survey.store };
    const [file, ...args] = stageCommand(
      programs,
      host,
      overlays,
      loopback?.around(programs, inside.command) ?? inside.command,
    );
    const options = [
      ...sandboxArguments(policy, survey, host),
      ...(loopback?.options ?? []),
      ...['--json-status-fd', String(STATUS_FD), '--chdir', inside.cwd, '--clearenv'],
      ...Object.entries(inside.env)
        .filter(([name]) => name !== '' && !name.includes('='))
        .flatMap(([name, value]) => ['--setenv', name, value]),
    ];
    // A NUL would begin another option.
    if (options.some((word) => word.includes('\0'))) throw new Error('a path or variable holds null bytes');
    const empty = emptyFiles(survey);
    const source = openSync('/dev/null', 'r');
    nothing = source;
    const stdio: Entrance['stdio'] = ['pipe', 'pipe', ...empty.map(() => source)];
    for (const fd of inheritedDescriptors()) {
      while (stdio.length <= fd - STATUS_FD) stdio.push('ignore');
      if (stdio[fd - STATUS_FD] === 'ignore') stdio[fd - STATUS_FD] = source;
    }
    const leave = (): void => {
      loopback?.close();
      removeUnwanted(survey.guards.unwanted);
      release();
    };
    const bytes = Buffer.from(options.map((word) => `${word}\0`).join(''));
    return { file, args, options: bytes, stdio, started, leave };
  } catch (error) {
    started();
    release();
    throw error;
  }
}

/** The folder by the name that the person uses, where the sandbox has that name; otherwise by its real one. */
const seenAs = (cwd: string, real: string, survey: Survey): string =>
  survey.private.some((folder) => isWithin(cwd, folder)) && !isWithin(cwd, survey.workspace) ? real : cwd;
