import {
  changesHanded,
  type FoundNames,
  foundBy,
  handsOn,
  namePattern,
  printedNames,
  touchesKnown,
  UNKNOWN,
} from '../shell/index.ts';
import { wordsOf } from './args.ts';
import { at } from './brought.ts';
import { sessionGuards } from './guards.ts';
import { isGuarded, resolvePath } from './paths.ts';
import { report, type ShellScope } from './scope.ts';
import type { Arg, SimpleCommand } from './types.ts';

/**
 * What a command changes under names that nobody writes down: `find` finds them, a pipe hands them on, or patterns match more
 * than they do by themselves. Said where settings of the guard that are there could be among them.
 */
export function judgeReached(command: SimpleCommand, files: readonly Arg[], scope: ShellScope): void {
  if ((scope.context.guarded ?? []).length === 0) return;
  const words = wordsOf(command);
  const deletes = handsOn(command.name) && words.includes('-delete');
  const found = deletes ? foundBy(words) : handedTo(command, files, scope);
  if (found.some((names) => isReached(names, scope))) report(scope, sessionGuards.reaches, command.span);
  for (const arg of files) if (reachedByWord(arg, scope)) report(scope, sessionGuards.reaches, arg.span);
}

/** The scope of what a command starts: what `find` starts is done to what it finds. */
export function finding(command: SimpleCommand, scope: ShellScope): ShellScope {
  if (!handsOn(command.name)) return scope;
  return { ...scope, found: foundBy(wordsOf(command)) };
}

/** It makes patterns match more than bash does by itself. */
export const widensPatterns = ({ name, args }: SimpleCommand): boolean =>
  /^(?:shopt|setopt|bash)$/.test(name) &&
  args.some(({ value }) => /^(?:dotglob|nocaseglob|extglob|glob_?dots)$/i.test(value));

/** Whether what a word stands for, where patterns are widened, could be what only a person may change. */
export function reachedByWord({ value, glob }: Arg, scope: ShellScope): boolean {
  if (!scope.patterns.widened || (scope.context.guarded ?? []).length === 0) return false;
  return (glob || value.includes(UNKNOWN)) && isReached({ root: value, hidden: true, filter: all }, scope);
}

const all: FoundNames['filter'] = { lets: () => true, exact: false };

/** Programs that let some of the names through that they read, and no others. */
const narrows = /^(?:sort|uniq|head|tail|e?grep|fgrep|rg|tee|shuf|tac)$/;
const anywhere: FoundNames[] = [{ root: UNKNOWN, hidden: true, filter: all }];

/** The names that `find` or a pipe hands to a command that would change what they name. */
function handedTo(command: SimpleCommand, files: readonly Arg[], scope: ShellScope): readonly FoundNames[] {
  const { stdin, found } = scope;
  const { name, args, open } = command;
  const isHanded = ({ value }: Arg): boolean =>
    value.includes(UNKNOWN) || (found ?? []).some(({ root }) => root === value);
  const isTaken =
    files.some(isHanded) ||
    (open && changesHanded(name)) ||
    (!touchesKnown(name) && (open || args.some(isHanded)));
  if (!isTaken) return [];
  if (found !== undefined) return found;
  const [source, ...between] = stdin.kind === 'pipe' ? stdin.from : [];
  if (source === undefined) return [];
  const known = between.every((one) => narrows.test(one.name)) ? printedNames(wordsOf(source)) : undefined;
  // What others print need not be names at all.
  return known ?? (changesHanded(name) ? anywhere : []);
}

/** Whether names below a folder could be settings of the guard that are there, or a folder that holds them. */
function isReached({ root, hidden, filter }: FoundNames, scope: ShellScope): boolean {
  const parts = root.split('/');
  const first = parts.findIndex((part) => /[*?[]/.test(part) || part.includes(UNKNOWN));
  const folder = first === -1 ? root : parts.slice(0, first).join('/') || (root.startsWith('/') ? '/' : '.');
  const patterns = first === -1 ? [] : parts.slice(first);
  const isKnown = /^[/~]/.test(folder) || scope.cwd !== undefined;
  const above = resolvePath(folder, scope);
  return (scope.context.guarded ?? []).some((path) => {
    const own = resolvePath(path, scope);
    if (scope.context.brings?.({ as: 'tree', path: at(path, scope) }) === null) return false;
    if (above === own || above.startsWith(`${own}/`)) return true;
    const isUnknown = !isKnown || root.startsWith(UNKNOWN);
    const base = above === '/' ? '' : above;
    if (!isUnknown && !own.startsWith(`${base}/`)) return false;
    const names = (isUnknown ? own : own.slice(base.length + 1)).split('/').filter(Boolean);
    if (!isUnknown && !matches(patterns, names, scope)) return false;
    return names.some((name, index) => {
      const depth = index + 1;
      if (!hidden && names.slice(patterns.length).some((one) => one.startsWith('.'))) return false;
      const isLast = depth === names.length;
      // Of a folder, what lies in it may be called anything.
      if (isLast && !/.\./.test(name)) return true;
      const lets = (kind: 'file' | 'folder' | 'link'): boolean =>
        filter.lets(name, kind, isUnknown ? 1 : depth);
      if (isLast) return lets('file') || lets('link');
      const whole = `${base}/${names.slice(0, depth).join('/')}`;
      return !isUnknown && isGuarded(whole, scope) && lets('folder');
    });
  });
}

/** Whether the first names are what the patterns match, each by one; behind `**`, whatever comes. */
function matches(patterns: readonly string[], names: readonly string[], scope: ShellScope): boolean {
  if (patterns.length > names.length && !patterns.includes('**')) return false;
  for (const [index, pattern] of patterns.entries()) {
    if (pattern === '**') return true;
    const text = pattern.replaceAll(UNKNOWN, '*');
    const { widened } = scope.patterns;
    const made = namePattern([
      { text: widened ? '.' : '', active: false },
      { text, active: true },
    ]);
    if (made === null) continue;
    const name = names[index] ?? '';
    if (!new RegExp(made.source, widened ? 'sui' : 'su').test(widened ? `.${name}` : name)) return false;
  }
  return true;
}
