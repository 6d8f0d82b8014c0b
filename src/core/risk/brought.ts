import { type Brought, broughtBy, UNKNOWN } from '../shell/index.ts';
import { wordsOf } from './args.ts';
import { writeRule } from './path-rules.ts';
import { resolvePath } from './paths.ts';
import { report, type ShellScope } from './scope.ts';
import type { Arg, RuleInfo, SimpleCommand } from './types.ts';

/** Said where nobody can know before what names come along, and what only a person may change lies below. */
const bringsUnseen: RuleInfo = {
  id: 'brings-unseen',
  level: 'dangerous',
  sentence:
    'Puts files here whose names cannot be known before, and what only a person may change could be among them.',
};

/**
 * What comes along with an archive, a patch or a folder, by the rules about writing to each of its names. Only where settings
 * of the guard lie in the folder that is filled: elsewhere the names are nobody's worry, and are not looked at.
 */
export function judgeBrought(command: SimpleCommand, scope: ShellScope): void {
  const { brings, guarded = [] } = scope.context;
  if (brings === undefined || guarded.length === 0) return;
  for (const brought of broughtBy(wordsOf(command))) judgeOne(command, brought, scope);
}

function judgeOne(command: SimpleCommand, brought: Brought, scope: ShellScope): void {
  const { context } = scope;
  const argAt = (one: Brought['from']): Arg | undefined => one && command.args[one.at - 1];
  const valueAt = (one: Brought['from']): string => argAt(one)?.value.slice(one?.skip ?? 0) ?? '';
  const into = brought.into === undefined ? '.' : valueAt(brought.into) || '.';
  const own = (context.guarded ?? []).map((path) => resolvePath(path, scope));
  const below = (folder: string): string[] => {
    const full = resolvePath(folder, scope);
    return own.flatMap((path) => (path.startsWith(`${full}/`) ? [path.slice(full.length + 1)] : []));
  };
  const given = argAt(brought.from);
  const isKnown = scope.cwd !== undefined && !into.includes(UNKNOWN);
  if (isKnown && brought.as !== 'tree' && below(into).length === 0) return;
  // A pattern has become names in what is judged next.
  if (given?.glob) return;
  const from = valueAt(brought.from);
  const span = (given ?? command).span;
  if (brought.as === 'tree') {
    const base = from.replace(/\/+$/, '').replace(/^.*\//, '');
    const isThere = [into, `${into}/${base}`].some((to) =>
      below(to).some((name) => context.brings?.({ as: 'tree', path: at(`${from}/${name}`, scope) }) !== null),
    );
    if (isThere) report(scope, guardTampering(own[0] ?? '', scope), span);
    return;
  }
  const names = isKnown ? namesOf(command, brought, from, scope) : null;
  if (names === null) {
    report(scope, bringsUnseen, span);
    return;
  }
  for (const name of names) {
    const rule = writeRule(`${into}/${name}`, scope);
    if (rule !== undefined) report(scope, rule, span);
  }
}

const guardTampering = (path: string, scope: ShellScope): RuleInfo => writeRule(path, scope) ?? bringsUnseen;

function namesOf(
  { stdin }: SimpleCommand,
  { as, strip, ...brought }: Brought,
  from: string,
  scope: ShellScope,
): readonly string[] | null {
  const { brings } = scope.context;
  if (brings === undefined || as === 'unknown' || from.includes(UNKNOWN)) return null;
  if (brought.from !== undefined) return brings({ as, strip, path: at(from, scope) });
  if (stdin.kind === 'text') return brings({ as, strip, text: stdin.text });
  if (stdin.kind === 'file' && stdin.path !== undefined && !stdin.path.includes(UNKNOWN))
    return brings({ as, strip, path: at(stdin.path, scope) });
  return stdin.kind === 'none' ? [] : null;
}

/** A whole path, with the home folder as it is called. */
export function at(path: string, scope: ShellScope): string {
  const full = resolvePath(path, scope);
  return full.startsWith('~') ? `${scope.context.home ?? '~'}${full.slice(1)}` : full;
}
