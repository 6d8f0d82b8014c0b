import { join } from 'node:path/posix';
import {
  innermost,
  PATH_USES,
  pathsOf,
  type SingleAction,
  type Step,
  shellText,
  type Warning,
} from '../../../core/contract/index.ts';
import { parseExpects } from '../../../core/plan/index.ts';
import { findPlaceholders } from '../../../core/plan/substitute/index.ts';
import { isBuiltin, readCommand } from '../../../core/shell/index.ts';

/** What may be asked of the world between two steps. Only looks; `null` means not known, and is never a warning. */
export interface StepProbe {
  exists(path: string): Promise<boolean | null>;
  commandExists(name: string): Promise<boolean | null>;
  /** Whether the first line of a script ends as on Windows. */
  hasWindowsLines(script: string): Promise<boolean | null>;
  isPortFree(port: number): Promise<boolean | null>;
}

/**
 * Whether the next step is still sensible after what just happened, by rules alone: the files that it needs, the command
 * that it calls, the lines of its script, the port that it wants. A warning keeps nothing from running.
 */
export async function precheck(step: Step, probe: StepProbe): Promise<Warning[]> {
  const action = innermost(step.action);
  const { text, folder } = begins(lineOf(action) ?? '');
  // What nobody has made yet is not looked into.
  const isThere = folder === '' || (await probe.exists(folder)) === true;
  const at = (path: string): string => (folder === '' || path.startsWith('/') ? path : join(folder, path));
  const scripts = isThere ? scriptPaths(text).filter(isKnown) : [];
  const checks = [
    ...neededPaths(action).map(async (path) =>
      (await probe.exists(path)) === false ? missing(path, path) : null,
    ),
    ...scripts.map(async (path) =>
      (await probe.exists(at(path))) === false ? missing(path, at(path)) : null,
    ),
    ...neededCommands(text).map(async (name) =>
      (await probe.commandExists(name)) === false ? unknownCommand(name) : null,
    ),
    ...(isForShell(text) ? scripts : []).map(async (path) =>
      (await probe.hasWindowsLines(at(path))) === true ? windows(path, at(path)) : null,
    ),
    ...neededPorts(step, action).map(async (port) =>
      (await probe.isPortFree(port)) === false ? taken(port) : null,
    ),
  ];
  return (await Promise.all(checks)).filter((warning) => warning !== null);
}

/** As it is written, and where it is from where the step begins. */
const missing = (path: string, at: string): Warning => ({
  message: `\`${at}\` is not there.`,
  said: `bash: line 1: ${path}: No such file or directory`,
  exitCode: 127,
});

const unknownCommand = (name: string): Warning => ({
  message: `There is no command \`${name}\` here.`,
  said: `bash: line 1: ${name}: command not found`,
  exitCode: 127,
});

/** The shell would do half of it, and that to the wrong files: it does not stop at what it cannot read. */
const windows = (path: string, at: string): Warning => ({
  message: `\`${at}\` has Windows line ends.`,
  said: `bash: ${path}: line 1: $'\\r': command not found`,
  exitCode: 127,
});

const taken = (port: number): Warning => ({
  message: `Port ${port} is in use already.`,
  said: `OSError: [Errno 98] Address already in use: port ${port}`,
  exitCode: 1,
});

const isKnown = (text: string) => findPlaceholders(text).length === 0;

const neededPaths = (action: SingleAction): string[] =>
  pathsOf(action)
    .flatMap(({ path, use }) => (PATH_USES[use].needed ? [path] : []))
    .filter(isKnown);

/** The one line that it runs; a script of several may make what it needs. */
function lineOf(action: SingleAction): string | null {
  const text = shellText(action);
  return action.kind === 'run-script' && text?.trim().includes('\n') ? null : text;
}

/** The command that a line begins with, and the folder that `cd sub &&` before it goes into. */
function begins(text: string): { text: string; folder: string } {
  const [cd, next] = /^\s*cd\s/.test(text) ? readCommand(text).simples : [];
  const isBehind = cd?.program === 'cd' && next?.folder && /^\s*&&\s*$/.test(text.slice(cd.end, next.pos));
  return isBehind ? { text: text.slice(next.pos), folder: next.folder! } : { text, folder: '' };
}

/** The file that an interpreter is told to run, or the program that is named by its path. */
function scriptPaths(command: string): string[] {
  const interpreted = /^\s*(?:bash|sh|python3?|node|ruby|perl)\s+([\w./-]+\.\w+)(?:\s|$)/.exec(command);
  const named = /^\s*(\.{1,2}\/[\w./-]+)(?:\s|$)/.exec(command);
  return [interpreted?.[1] ?? named?.[1]].filter((path) => path !== undefined);
}

/** Other interpreters take such lines as they are; what is run by its name is begun by the system. */
const isForShell = (command: string): boolean => /^\s*(?:bash|sh|\.{1,2}\/)/.test(command);

/** The first word of a command, where it is a plain name. */
function neededCommands(command: string): string[] {
  const words = command.trim().split(/\s+/);
  const name = words.find((word) => !/^[A-Za-z_]\w*=/.test(word)) ?? '';
  return /^[A-Za-z][\w.+-]*$/.test(name) && !isBuiltin(name) ? [name] : [];
}

/** A service that promises to answer at a port needs that port to itself. */
function neededPorts({ expects = '' }: Step, action: SingleAction): number[] {
  if (action.kind !== 'start') return [];
  const promised = parseExpects(expects);
  if (promised?.kind === 'port' && promised.open) return [promised.port];
  if (promised?.kind !== 'url') return [];
  const { hostname, port } = new URL(promised.url);
  const local = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/.test(hostname);
  return local && port !== '' ? [Number(port)] : [];
}
