import { isShellsOwn, type SyntaxNode } from '../../../core/shell/index.ts';

/** A variable's value; null: it is not set; undefined: only known when it runs. */
export type KnownValue = string | null | undefined;

/** What is known of a shell at one point of its script. */
export interface ShellState {
  /** The directory as the shell names it, links unresolved; null where it is not known. */
  cwd: string | null;
  /** What the script itself has set; everything else is the environment's. */
  vars: Map<string, KnownValue>;
  /** False once something ran that could have set any variable. */
  trusted: boolean;
  /** Patterns and splitting work as bash does by itself: no `set -f`, no `shopt`, no other IFS. */
  globs: boolean;
  splits: boolean;
  /** `set -e` and `set -u`. */
  stopsOnFailure: boolean;
  stopsOnUnset: boolean;
  /** Nothing behind this point runs. */
  ended: boolean;
  functions: Map<string, SyntaxNode>;
}

export const startState = (cwd: string): ShellState => ({
  cwd,
  vars: new Map(),
  trusted: true,
  globs: true,
  splits: true,
  stopsOnFailure: false,
  stopsOnUnset: false,
  ended: false,
  functions: new Map(),
});

/** For a subshell, or for a branch that may not be taken. */
export const copyState = (state: ShellState): ShellState => ({
  ...state,
  vars: new Map(state.vars),
  functions: new Map(state.functions),
});

/** Any variable may have any value. */
export function loseVariables(state: ShellState): void {
  state.vars.clear();
  state.trusted = false;
}

/** Something ran that could have changed anything in this shell. */
export function loseAll(state: ShellState): void {
  loseVariables(state);
  state.cwd = null;
  state.globs = false;
  state.splits = false;
}

/** Makes `state` what is known after either of the others. One that ended leaves nothing behind. */
export function mergeInto(state: ShellState, others: readonly ShellState[]): void {
  const living = others.filter((other) => !other.ended);
  const [first, ...rest] = living.length > 0 ? living : others;
  if (!first) return;
  const merged = copyState(first);
  for (const other of rest) {
    if (other.cwd !== merged.cwd) merged.cwd = null;
    for (const name of new Set([...merged.vars.keys(), ...other.vars.keys()])) {
      const same = merged.vars.has(name) && other.vars.has(name);
      if (!same || merged.vars.get(name) !== other.vars.get(name)) merged.vars.set(name, undefined);
    }
    for (const [name, body] of other.functions) merged.functions.set(name, body);
    merged.trusted &&= other.trusted;
    merged.globs &&= other.globs;
    merged.splits &&= other.splits;
    merged.stopsOnFailure &&= other.stopsOnFailure;
    merged.stopsOnUnset ||= other.stopsOnUnset;
  }
  Object.assign(state, merged, { ended: living.length === 0 });
}

const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/** What a variable would be replaced by at this point. `environment`: what the shell was started with. */
export function lookUp(
  state: ShellState,
  name: string,
  environment: ReadonlyMap<string, string>,
): string | undefined {
  if (!isName(name)) return undefined;
  if (!state.vars.has(name)) {
    if (name === 'PWD') return state.cwd ?? undefined;
    if (!state.trusted || isShellsOwn(name)) return undefined;
  }
  const value = state.vars.has(name) ? state.vars.get(name) : (environment.get(name) ?? null);
  if (value !== null) return value;
  return state.stopsOnUnset ? undefined : '';
}
