import { programName, UNKNOWN } from '../../shell/index.ts';
import { guards } from '../guards.ts';
import { report, type ShellScope } from '../scope.ts';
import type { Arg, SimpleCommand } from '../types.ts';

/** What a wrapper adds once its inner command was judged. `clear`: nothing, the whole is as safe as what it wraps. */
export type Unwrapped = 'clear' | undefined;

/** The program that these arguments of `outer` would start. */
export function innerCommand(
  outer: SimpleCommand,
  args: readonly Arg[],
  extra: Partial<SimpleCommand> = {},
): SimpleCommand | undefined {
  const first = args[0];
  if (!first) return undefined;
  const last = args.at(-1) ?? first;
  return {
    name: programName(first.value),
    path: first.value,
    args: args.slice(1),
    env: [],
    span: [Math.min(first.span[0], last.span[0]), Math.max(first.span[1], last.span[1])],
    via: [...outer.via, outer.name],
    stdin: outer.stdin,
    open: outer.open,
    ...extra,
  };
}

export function judgeInner(
  outer: SimpleCommand,
  args: readonly Arg[],
  scope: ShellScope,
  extra: Partial<SimpleCommand> = {},
): boolean {
  const inner = innerCommand(outer, args, extra);
  if (!inner) return false;
  if (inner.via.length > 12) {
    report(scope, guards.tooDeep, inner.span);
    return true;
  }
  const first = args[0];
  if (first && (!first.literal || first.glob || first.value.includes(UNKNOWN)))
    report(scope, guards.unknownCommand, first.span);
  scope.simple(inner, scope);
  return true;
}

/** Judges text that a program hands to a shell. What is not known in it is reported. */
export function judgeShellText(
  outer: SimpleCommand,
  arg: Arg,
  scope: ShellScope,
  args: readonly string[] = [],
): void {
  if (arg.value.replaceAll(UNKNOWN, '').trim() === '' && arg.value !== '') {
    report(scope, guards.unknownCommand, arg.span);
    return;
  }
  scope.nested(arg.value, scope, {
    span: arg.span,
    via: [...outer.via, outer.name],
    stdin: outer.stdin,
    env: outer.env,
    args,
  });
}
