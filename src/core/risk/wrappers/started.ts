import {
  isInterpreter,
  programName,
  type StartedText,
  type StartedWords,
  type Starts,
  textStarted,
  UNKNOWN,
} from '../../shell/index.ts';
import { wordsOf } from '../args.ts';
import { judgeAssignment } from '../assignments.ts';
import { guards } from '../guards.ts';
import { setsUp } from '../safe/conventions.ts';
import { noStdin, report, type ShellScope } from '../scope.ts';
import { type Arg, PERHAPS, type RuleInfo, type SimpleCommand, type Span } from '../types.ts';
import { judgeInner, judgeShellText, type Unwrapped } from './inner.ts';
import { pipeToInterpreter } from './shells.ts';

export const evaluatesUnknown: RuleInfo = {
  id: 'evaluates-unknown',
  level: 'dangerous',
  sentence: 'Runs text that is only known when it runs.',
};

export const remoteShell: RuleInfo = {
  id: 'remote-shell',
  level: 'dangerous',
  sentence: 'Connects a shell or a program to the network, so that somebody else can use it.',
  needs: ['network'],
};

const connects = new Set(['nc', 'ncat', 'netcat', 'socat']);

/** Judges all that a command starts. */
export function judgeStarted(command: SimpleCommand, found: Starts, scope: ShellScope): Unwrapped {
  const { args, name } = command;
  if (found.started.length > 0 || found.where === 'elsewhere')
    for (const need of found.needs) scope.findings.need(need);
  const assigns = found.assigns.map((at) => assigned(args[at - 1] as Arg));
  for (const { name: variable, value } of assigns) {
    report(scope, guards.assignment, value.span);
    judgeAssignment(variable, value, scope);
  }
  const env = [...command.env, ...assigns];
  for (const started of found.started) {
    if (started.as === 'words') judgeWords({ ...command, env }, started, scope);
    else if (found.inShell) evaluate(command, scope);
    else {
      const text = textOf(command, started);
      judgeShellText({ ...command, env }, text, scope);
      if (connects.has(name)) report(scope, remoteShell, text.span);
    }
  }
  if (found.started.length === 0 && found.wants && command.open)
    judgeInner(
      command,
      [{ value: UNKNOWN, literal: false, glob: false, span: command.span, text: '' }],
      scope,
    );
  else if (found.reads && command.stdin.kind === 'text')
    judgeShellText({ ...command, stdin: noStdin }, asArg(command.stdin.text, command.stdin.span), scope);
  else if (
    found.reads &&
    (command.stdin.kind === 'pipe' || (command.stdin.kind === 'file' && found.where === 'elsewhere'))
  )
    report(scope, pipeToInterpreter, command.span);
  return found.clear ? 'clear' : undefined;
}

function assigned(arg: Arg): SimpleCommand['env'][number] {
  const equals = arg.value.indexOf('=');
  return { name: arg.value.slice(0, equals), value: { ...arg, value: arg.value.slice(equals + 1) } };
}

const asArg = (value: string, span: Span): Arg => ({ value, literal: true, glob: false, span, text: value });

function textOf(command: SimpleCommand, started: StartedText): Arg {
  const first = command.args[started.from - 1] as Arg;
  const last = command.args[started.to - 2] as Arg;
  return asArg(textStarted(wordsOf(command), started), [first.span[0], last.span[1]]);
}

/** What `eval` runs, it runs in this shell. */
function evaluate(command: SimpleCommand, scope: ShellScope): void {
  const text = command.args.map((arg) => arg.value).join(' ');
  const [only, ...others] = command.args;
  if (only && others.length === 0 && !command.open && setsUp(only.text)) return;
  if (text.includes(UNKNOWN) || command.open) report(scope, evaluatesUnknown, command.span);
  const { span, stdin } = command;
  scope.nested(text, scope, {
    span,
    stdin,
    env: command.env,
    via: [...command.via, command.name],
    same: true,
  });
}

function judgeWords(command: SimpleCommand, started: StartedWords, scope: ShellScope): void {
  const { program, handed, hole } = started;
  const words = command.args.slice(started.from - 1, started.to - 1);
  const apart = program && command.args[program.at - 1];
  if (apart) words.unshift({ ...apart, value: apart.value.slice(program.skip) });
  const args = hole === undefined ? words : words.map((arg) => fill(arg, hole, started.filled));
  const inputs = handed ? command.args.slice(handed.from - 1, handed.to - 1) : [];
  const name = programName(args[0]?.value ?? '');
  // What it is handed is a program, or one that an interpreter reads.
  const whole = args.some(({ value }) => value === UNKNOWN) || (started.evaluated && args.length <= 2);
  if (hole !== undefined && whole && isInterpreter(name)) {
    report(scope, pipeToInterpreter, command.span);
    for (const input of inputs) judgeShellText(command, input, scope);
  }
  const { stdin } = command;
  const fed =
    started.open && stdin.kind === 'text'
      ? stdin.text.split(/\s+/).map((word) => asArg(word, stdin.span))
      : [];
  const told = [...inputs.flatMap(pieces), ...fed].slice(0, 20);
  const paths = told.filter(({ value }) => /^(?:\/|~|\.\.)/.test(value));
  const extra = {
    env: command.env,
    ...(started.open ? { open: true } : {}),
    ...(started.perhaps ? { via: [...command.via, PERHAPS] } : {}),
    ...(started.unfed ? { stdin: { kind: 'none' } as const, open: started.open ?? false } : {}),
  };
  judgeInner(command, [...args, ...paths], scope, extra);
  // How its input is taken apart is up to its options; so this is but one way to read it.
  if (told.length > paths.length && args.length > 0) judgeInner(command, [...args, ...told], scope, extra);
}

const pieces = (arg: Arg): Arg[] => arg.value.split(/\s+/).map((value) => ({ ...arg, value }));

function fill(arg: Arg, hole: string, filled: string | undefined): Arg {
  if (!arg.value.includes(hole)) return arg;
  if (arg.value === hole && filled !== undefined) return { ...arg, value: filled, literal: true };
  return { ...arg, value: arg.value.replaceAll(hole, UNKNOWN), literal: false };
}
