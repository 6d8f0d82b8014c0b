import { optionValues } from '../args.ts';
import type { Scope } from '../scope.ts';
import type { Arg, SimpleCommand } from '../types.ts';
import { innerCommand, judgeInner, judgeShellText, type Unwrapped } from './inner.ts';

const valued = new Set(
  '-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source'.split(' '),
);

/** The subcommand of a git call and what follows it. */
export function gitVerb(command: SimpleCommand): { verb: string; at: number; rest: readonly Arg[] } {
  let i = 0;
  while (i < command.args.length && /^-./.test(command.args[i]?.value ?? ''))
    i += valued.has(command.args[i]?.value ?? '') ? 2 : 1;
  return { verb: command.args[i]?.value ?? '', at: i, rest: command.args.slice(i + 1) };
}

/** Keys of git's configuration whose value git runs. */
const runs =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|hookspath|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external|diff\..*\.(?:command|textconv)|difftool\..*\.cmd|mergetool\..*\.cmd|merge\..*\.driver|filter\..*\.(?:clean|smudge|process)|gpg\.program|gpg\..*\.program|credential\.helper|credential\..*\.helper|pager\..*|web\.browser|browser\..*\.cmd|uploadpack\.packobjectshook|remote\..*\.(?:uploadpack|receivepack|proxy)|interactive\.difffilter|sendemail\..*|tar\..*\.command|man\..*\.cmd|trailer\..*\.(?:command|cmd)|protocol\.ext\.allow)$/i;

const builtIn = new Set(
  'add am apply archive bisect blame branch bundle cat-file check-ignore checkout cherry cherry-pick clean clone commit config describe diff fetch filter-branch format-patch fsck gc grep init log ls-files ls-remote ls-tree maintenance merge mergetool mv notes pull push range-diff rebase reflog remote repack replace reset restore rev-list rev-parse revert rm shortlog show show-ref sparse-checkout stash status submodule switch symbolic-ref tag update-index update-ref var verify-commit verify-tag version whatchanged worktree help'.split(
    ' ',
  ),
);

/** Aliases and settings given on the command line, and subcommands that take a command. */
export function unwrapGit(command: SimpleCommand, scope: Scope): Unwrapped {
  const { verb, at, rest } = gitVerb(command);
  for (const arg of optionValues({ ...command, args: command.args.slice(0, at) }, '-c')) {
    const equals = arg.value.indexOf('=');
    const [key, value] =
      equals === -1 ? [arg.value, ''] : [arg.value.slice(0, equals), arg.value.slice(equals + 1)];
    if (value === '') continue;
    if (runs.test(key)) judgeShellText(command, { ...arg, value: value.replace(/^!/, '') }, scope);
    if (key.toLowerCase() === `alias.${verb}` && !builtIn.has(verb))
      judgeAlias(command, { ...arg, value }, rest, scope);
  }
  const sub = { ...command, args: rest };
  if (verb === 'config') {
    const [key, value] = rest.filter((arg) => !arg.value.startsWith('-'));
    if (key && value && /^alias\./i.test(key.value)) judgeAlias(command, value, [], scope);
    else if (key && value && runs.test(key.value))
      judgeShellText(command, { ...value, value: value.value.replace(/^!/, '') }, scope);
    return undefined;
  }
  if (verb === 'bisect' && rest[0]?.value === 'run') judgeInner(command, rest.slice(1), scope);
  else if (verb === 'submodule' && rest.some((arg) => arg.value === 'foreach')) {
    const words = rest
      .slice(rest.findIndex((arg) => arg.value === 'foreach') + 1)
      .filter((arg) => !/^--?(?:recursive|q|quiet)/.test(arg.value));
    if (words.length === 1 && words[0]) judgeShellText(command, words[0], scope);
    else judgeInner(command, words, scope);
  } else if (verb === 'rebase') judgeAll(command, optionValues(sub, '-x', '--exec'), scope);
  else if (verb === 'filter-branch')
    judgeAll(
      command,
      rest.filter((_arg, i) => /-filter$/.test(rest[i - 1]?.value ?? '')),
      scope,
    );
  else if (verb === 'grep')
    judgeAll(
      command,
      rest.flatMap((arg) =>
        /^-O./.test(arg.value)
          ? [{ ...arg, value: arg.value.slice(2) }]
          : arg.value.startsWith('--open-files-in-pager=')
            ? [{ ...arg, value: arg.value.slice(22) }]
            : [],
      ),
      scope,
    );
  else if (verb === 'difftool') judgeAll(command, optionValues(sub, '-x', '--extcmd'), scope);
  else if (/^(?:fetch|clone|pull|push|ls-remote|archive)$/.test(verb)) {
    judgeAll(
      command,
      [
        ...optionValues(sub, '--upload-pack', '--receive-pack', '--exec'),
        ...(verb === 'clone' || verb === 'ls-remote' ? optionValues(sub, '-u') : []),
      ],
      scope,
    );
    judgeAll(
      command,
      rest.flatMap((arg) =>
        /^ext::/.test(arg.value) ? [{ ...arg, value: arg.value.slice(5).replace(/%20|% /g, ' ') }] : [],
      ),
      scope,
    );
    if (verb === 'clone')
      judgeAll(
        command,
        optionValues(sub, '-c', '--config').flatMap((arg) =>
          runs.test(arg.value.split('=')[0] ?? '')
            ? [{ ...arg, value: arg.value.slice(arg.value.indexOf('=') + 1) }]
            : [],
        ),
        scope,
      );
  } else return undefined;
  return undefined;
}

function judgeAll(command: SimpleCommand, args: readonly Arg[], scope: Scope): void {
  for (const arg of args) judgeShellText(command, arg, scope);
}

function judgeAlias(command: SimpleCommand, value: Arg, rest: readonly Arg[], scope: Scope): void {
  if (value.value.startsWith('!')) {
    judgeShellText(command, { ...value, value: value.value.slice(1) }, scope);
    return;
  }
  const words = value.value
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => ({ ...value, value: word }));
  const git = innerCommand(command, [{ ...value, value: 'git' }, ...words, ...rest]);
  if (git && git.via.length < 12) scope.simple(git, scope);
}
