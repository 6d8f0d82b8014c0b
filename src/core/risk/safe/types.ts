import type { ShellScope } from '../scope.ts';
import type { SimpleCommand } from '../types.ts';

/** True only where the command, with exactly these arguments, is known to read and print, nothing else. */
export type SafeCheck = (command: SimpleCommand, scope: ShellScope) => boolean;

interface Limits {
  /** Every option must match this. */
  readonly options: RegExp;
  /** Options that take the next argument as their value. */
  readonly valued?: string;
  readonly maxOperands?: number;
  readonly minOperands?: number;
}

/** A command that is safe with options of this shape only. Arguments must be literal. */
export function limited(limits: Limits): (command: SimpleCommand) => boolean {
  const valued = new Set((limits.valued ?? '').split(' ').filter(Boolean));
  const { maxOperands = Number.POSITIVE_INFINITY, minOperands = 0 } = limits;
  return (command) => {
    if (command.open) return false;
    let count = 0;
    let ended = false;
    for (let i = 0; i < command.args.length; i++) {
      const arg = command.args[i];
      if (!arg?.literal) return false;
      if (!ended && arg.value === '--') ended = true;
      else if (!ended && arg.value.startsWith('-') && arg.value.length > 1) {
        if (!limits.options.test(arg.value)) return false;
        if (valued.has(arg.value)) {
          const value = command.args[++i];
          if (!value?.literal || value.glob) return false;
        }
      } else {
        count++;
        // A glob may become several operands.
        if (arg.glob && maxOperands < Number.POSITIVE_INFINITY) return false;
      }
    }
    return count <= maxOperands && count >= minOperands;
  };
}

export const table = (names: string, check: SafeCheck): [string, SafeCheck][] =>
  names.split(' ').map((name) => [name, check]);
