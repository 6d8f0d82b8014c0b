import { optionValue } from '../args.ts';
import { report, type Scope } from '../scope.ts';
import { type Arg, type SimpleCommand, UNKNOWN } from '../types.ts';
import { fill, judgeInner, judgeShellText, type Unwrapped, type Unwrapper } from './inner.ts';
import { pipeToInterpreter, shells } from './shells.ts';

/** Programs that run a command once for each of many things: xargs, parallel, find, fd. */
export const manyWrappers: Readonly<Record<string, Unwrapper>> = {
  xargs: unwrapXargs,
  gxargs: unwrapXargs,
  parallel: unwrapParallel,
  find: (command, scope) => unwrapFind(command, scope),
  gfind: (command, scope) => unwrapFind(command, scope),
  fd: unwrapFd,
  fdfind: unwrapFd,
  rush: unwrapParallel,
};

const xargsValued = new Set(
  '-a -d -E -I -J -R -L -n -P -s -S --arg-file --delimiter --max-lines --max-args --max-procs --max-chars --process-slot-var'.split(
    ' ',
  ),
);

const xargsPlain =
  /^(?:-[0rtx]+|-[adEILnPs]\S*|--(?:null|no-run-if-empty|verbose|exit|max-args|max-procs|max-lines|arg-file|delimiter|eof|replace)(?:=.*)?|--)$/;

function unwrapXargs(command: SimpleCommand, scope: Scope): Unwrapped {
  let i = 0;
  let placeholder = '';
  for (; i < command.args.length; i++) {
    const value = command.args[i]?.value ?? '';
    if (value === '--') {
      i++;
      break;
    }
    if (!value.startsWith('-')) break;
    const given = /^-([IJ])(.*)$/.exec(value);
    if (given) placeholder = given[2] || (command.args[i + 1]?.value ?? '');
    else if (/^-i|^--replace/.test(value)) placeholder = value.replace(/^-i|^--replace=?/, '') || '{}';
    if (xargsValued.has(value)) i++;
  }
  const args = fill(command.args.slice(i), placeholder);
  if (args.length === 0) return 'judged';
  const stdin = { kind: 'none' } as const;
  if (args.some((arg) => arg.value === UNKNOWN) && isInterpreter(args[0]))
    report(scope, pipeToInterpreter, command.span);
  judgeInner(command, args, scope, { open: placeholder === '', stdin });
  return command.args.slice(0, i).every((arg) => !arg.value.startsWith('-') || xargsPlain.test(arg.value))
    ? 'clear'
    : 'judged';
}

const isInterpreter = (arg: Arg | undefined): boolean =>
  arg !== undefined &&
  (shells.has(arg.value.replace(/^.*\//, '')) ||
    /^(?:python|perl|ruby|node|php)/.test(arg.value.replace(/^.*\//, '')));

function unwrapParallel(command: SimpleCommand, scope: Scope): Unwrapped {
  const valued = new Set(
    '-j -a -I -N -n -L -S --jobs --arg-file --joblog --results --colsep -C --delay --timeout --tmpdir --workdir --wd'.split(
      ' ',
    ),
  );
  let i = 0;
  while (i < command.args.length && command.args[i]?.value.startsWith('-'))
    i += valued.has(command.args[i]?.value ?? '') ? 2 : 1;
  const rest = command.args.slice(i);
  const colons = rest.findIndex((arg) => /^:::+\+?$/.test(arg.value));
  const template = colons === -1 ? rest : rest.slice(0, colons);
  const inputs = colons === -1 ? [] : rest.slice(colons + 1);
  if (template.length === 0) {
    for (const input of inputs) judgeShellText(command, input, scope);
    if (inputs.length === 0 && command.stdin.kind === 'text')
      judgeShellText(command, { ...textArg(command.stdin.text, command), span: command.stdin.span }, scope);
    return 'judged';
  }
  const filled = fill(template, '{}');
  if (isInterpreter(template[0]) && template.length <= 2) {
    report(scope, pipeToInterpreter, command.span);
    for (const input of inputs) judgeShellText(command, input, scope);
  }
  const text = filled.map((arg) => arg.value).join(' ');
  if (filled.length === 1) judgeShellText(command, textArg(text, command), scope);
  else {
    const extra = inputs.slice(0, 20).filter((input) => /^(?:\/|~|\.\.)/.test(input.value));
    judgeInner(command, [...filled, ...extra], scope, { open: true, stdin: { kind: 'none' } });
  }
  return 'judged';
}

const textArg = (value: string, command: SimpleCommand): Arg => ({
  value,
  literal: true,
  glob: false,
  span: command.span,
  text: value,
});

/** `-exec cmd {} ;` and its siblings, as often as they occur. */
function unwrapFind(command: SimpleCommand, scope: Scope): Unwrapped {
  let asks = false;
  const { args } = command;
  for (let i = 0; i < args.length; i++) {
    const match = /^-(exec|execdir|ok|okdir)$/.exec(args[i]?.value ?? '');
    if (!match) continue;
    let end = i + 1;
    while (
      end < args.length &&
      args[end]?.value !== ';' &&
      !(args[end]?.value === '+' && args[end - 1]?.value.includes('{}'))
    )
      end++;
    asks ||= match[1]?.startsWith('ok') ?? false;
    const roots = args
      .slice(0, 1)
      .filter(
        (arg) =>
          /^[/~]/.test(arg.value) &&
          !args.slice(1, i).some((a) => /^-(?:i?name|i?path|regex|newer|mtime|size|user)/.test(a.value)),
      );
    const inner = fillPaths(args.slice(i + 1, end), roots[0]?.value);
    judgeInner(command, inner, scope);
    i = end;
  }
  return asks ? 'judged' : undefined;
}

/** A path that find passes starts with its starting point, so it is never an option. */
function fillPaths(args: readonly Arg[], root: string | undefined): Arg[] {
  return args.map((arg) =>
    arg.value === '{}'
      ? { ...arg, value: root ?? `./${UNKNOWN}`, literal: true }
      : arg.value.includes('{}')
        ? { ...arg, value: arg.value.replaceAll('{}', UNKNOWN), literal: false }
        : arg,
  );
}

function unwrapFd(command: SimpleCommand, scope: Scope): Unwrapped {
  const at = command.args.findIndex((arg) => /^(?:-x|-X|--exec|--exec-batch)$/.test(arg.value));
  const joint = optionValue(command, '--exec', '--exec-batch');
  if (at !== -1) judgeInner(command, fillPaths(command.args.slice(at + 1), undefined), scope, { open: true });
  else if (joint) judgeShellText(command, joint, scope);
  return undefined;
}
