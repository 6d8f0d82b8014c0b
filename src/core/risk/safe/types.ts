import type { ShellScope } from '../scope.ts';
import type { Arg, SimpleCommand } from '../types.ts';

/** True only where the command, with exactly these arguments, is known to read and print, nothing else. */
export type SafeCheck = (command: SimpleCommand, scope: ShellScope) => boolean;

/** What a value or an operand may be. */
export type ValueKind = (value: string, scope: ShellScope) => boolean;

/** How the words of a command were read. */
export interface Reading {
  readonly operands: readonly Arg[];
  /** Values by option, as the table writes it: `-e`, `--format`. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}
