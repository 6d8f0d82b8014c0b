import { accessSync, constants } from 'node:fs';
import type { Interpreter, Status } from './interpreter.ts';
import { byWords } from './real-paths.ts';
import { loseAll, type ShellState } from './shell-state.ts';

type Words = readonly (string | null)[];

/** What a command does to the shell that reads it. A program of its own does nothing to it. */
export function runBuiltin(name: string, words: Words, state: ShellState, it: Interpreter): Status {
  switch (name) {
    case 'cd':
    case 'pushd':
      return changeDirectory(words, state, it);
    case 'popd':
      state.cwd = null;
      return 'unknown';
    case 'true':
    case ':':
      return 'ok';
    case 'false':
      return 'failed';
    case 'exit':
    case 'return':
    case 'exec':
      state.ended = name !== 'exec' || words.length > 0;
      return 'unknown';
    case 'export':
    case 'declare':
    case 'typeset':
    case 'local':
    case 'readonly':
      declare(words, state);
      return 'unknown';
    case 'unset':
      for (const word of words) {
        if (word === null) loseAll(state);
        else state.vars.set(word, null);
      }
      return 'unknown';
    case 'read':
    case 'mapfile':
    case 'readarray':
    case 'getopts':
    case 'let':
    case 'printf':
    case 'wait':
    case 'select':
      if (name === 'printf' && words[0] !== '-v') return 'unknown';
      for (const word of words) {
        if (word === null) loseAll(state);
        for (const variable of word?.match(/[A-Za-z_]\w*/g) ?? []) state.vars.set(variable, undefined);
      }
      return 'unknown';
    case 'eval':
    case 'source':
    case '.':
      loseAll(state);
      return 'unknown';
    case 'shopt':
      state.globs = false;
      return 'unknown';
    case 'set':
      setOptions(words, state);
      return 'unknown';
    default:
      return 'unknown';
  }
}

function changeDirectory(words: Words, state: ShellState, it: Interpreter): Status {
  const targets = words.filter((word) => word === null || !/^-[LPe@]+$|^--$/.test(word));
  const physical = words.includes('-P');
  const [target] = targets.length === 0 ? [homeOf(state, it)] : targets;
  if (target === null || target === undefined || target === '-' || targets.length > 1) {
    state.cwd = null;
    return 'unknown';
  }
  const relative = !target.startsWith('/');
  const searched = relative && !/^\.{1,2}(?:\/|$)/.test(target) && it.environment.has('CDPATH');
  if (searched || (relative && state.cwd === null)) {
    state.cwd = null;
    return 'unknown';
  }
  const path = byWords(relative ? `${state.cwd}/${target}` : target);
  const at = it.real.find(path, true);
  if (at.kind === 'folder') {
    if (!it.real.ask(() => mayEnter(at.path))) return 'failed';
    state.cwd = physical ? at.path : path;
    return 'ok';
  }
  it.progress.sawMissing = true;
  if (it.missing === 'stay') return 'failed';
  state.cwd = path;
  return 'ok';
}

const homeOf = (state: ShellState, it: Interpreter): string | null => {
  const value = state.vars.has('HOME') ? state.vars.get('HOME') : (it.environment.get('HOME') ?? it.home);
  return value ?? null;
};

function mayEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `export A=b`; with other options than `-x` and `-g` a value may become another one. */
function declare(words: Words, state: ShellState): void {
  const plain = words.every((word) => word === null || !/^[-+]/.test(word) || /^-[gxr]+$/.test(word));
  for (const word of words) {
    const match = /^([A-Za-z_]\w*)(?:(\+?=)(.*))?$/s.exec(word ?? '');
    if (word === null) loseAll(state);
    else if (match?.[2]) state.vars.set(match[1] ?? '', plain && match[2] === '=' ? match[3] : undefined);
    else if (match && !plain) state.vars.set(match[1] ?? '', undefined);
  }
}

function setOptions(words: Words, state: ShellState): void {
  for (const [index, word] of words.entries()) {
    if (word === '--') return;
    const on = word?.startsWith('-') ?? false;
    const letters = /^[-+]\w+$/.test(word ?? '') ? (word ?? '').slice(1) : '';
    const long = /^[-+]\w*o$/.test(word ?? '') ? (words[index + 1] ?? '') : '';
    if (letters.includes('f') || long === 'noglob' || word === null) state.globs = false;
    if (letters.includes('e') || long === 'errexit') state.stopsOnFailure = on;
    if (letters.includes('u') || long === 'nounset') state.stopsOnUnset = on;
  }
}
