import type { Statement, SyntaxNode } from '../../../core/shell/index.ts';
import type { Edits } from './edits.ts';
import type { Expansion } from './expand-word.ts';
import type { Globber } from './glob.ts';
import type { RealPaths } from './real-paths.ts';
import type { ShellState } from './shell-state.ts';
import type { Touched } from './touch.ts';

/**
 * Reading a script is running it in the mind: its commands in order, with a directory and variables, and without
 * doing anything. Where a way through it depends on what is only known when it runs, both ways are read and what
 * differs between them is not known afterwards.
 */
export interface Interpreter {
  readonly real: RealPaths;
  readonly globber: Globber;
  readonly home: string;
  readonly environment: ReadonlyMap<string, string>;
  readonly edits: Edits;
  readonly found: Touched;
  /**
   * What a `cd` to a folder that is not there now is taken to do. An earlier command may make it, or the script may
   * go on where it is: both are read, in two passes.
   */
  readonly missing: 'enter' | 'stay';
  /** Shared by nested scripts. `commands`: how many more are read before the rest stays unresolved. */
  readonly progress: { sawMissing: boolean; commands: number };
  readonly depth: number;
  /** Where the command that is read stands in the text that was given; `within`: what it is read of stands there. */
  readonly at: readonly [number, number];
  readonly within?: readonly [number, number];
  /** How lists and nodes are read: here so that what reads words and commands need not import it. */
  runList(statements: readonly Statement[], state: ShellState, it: Interpreter): Status;
  runNode(node: SyntaxNode, state: ShellState, it: Interpreter): Status;
}

/** How a command ends, where that is known. */
export type Status = 'ok' | 'failed' | 'unknown';

export const MAX_DEPTH = 6;

export const expansionOf = (it: Interpreter, state: ShellState): Expansion => ({
  state,
  environment: it.environment,
  home: it.home,
  globber: it.globber,
});
