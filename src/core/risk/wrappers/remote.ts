import { operands, optionValues } from '../args.ts';
import type { Scope } from '../scope.ts';
import type { Arg, SimpleCommand } from '../types.ts';
import { judgeInner, judgeShellText, type Unwrapped, type Unwrapper } from './inner.ts';

/** Commands that run elsewhere: on another host, in a container, in a pod. */
export const remoteWrappers: Readonly<Record<string, Unwrapper>> = {
  ssh: unwrapSsh,
  mosh: unwrapSsh,
  autossh: unwrapSsh,
  sshpass: (command, scope) => {
    const rest = operands(command, '-p -f -d -P');
    return judgeInner(command, rest, scope) ? 'judged' : undefined;
  },
  docker: unwrapContainer,
  podman: unwrapContainer,
  nerdctl: unwrapContainer,
  'docker-compose': unwrapContainer,
  lxc: unwrapContainer,
  incus: unwrapContainer,
  kubectl: unwrapPod,
  k: unwrapPod,
  oc: unwrapPod,
  ansible: (command, scope) => {
    if (
      /\b(?:shell|command|raw|script)\b/.test(
        optionValues(command, '-m', '--module-name')[0]?.value ?? 'command',
      )
    ) {
      for (const arg of optionValues(command, '-a', '--args')) judgeShellText(command, arg, scope);
    }
    return 'judged';
  },
};

const sshValued = '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B';

function unwrapSsh(command: SimpleCommand, scope: Scope): Unwrapped {
  scope.findings.need('network');
  for (const arg of command.args) {
    const match = /(?:ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand)[= ]+(.*)$/i.exec(arg.value);
    if (match?.[1]) judgeShellText(command, { ...arg, value: match[1] }, scope);
  }
  const valued = new Set(sshValued.split(' '));
  let i = 0;
  while (i < command.args.length && /^-/.test(command.args[i]?.value ?? ''))
    i += valued.has(command.args[i]?.value ?? '') ? 2 : 1;
  const rest = command.args.slice(i + 1).filter((arg, at) => !(at === 0 && arg.value === '--'));
  if (rest.length === 0) return 'judged';
  const text = rest.map((arg) => arg.value).join(' ');
  const first = rest[0] as Arg;
  const last = rest.at(-1) as Arg;
  judgeShellText(command, { ...first, value: text, span: [first.span[0], last.span[1]] }, scope);
  return 'judged';
}

const containerValued = new Set(
  '-e --env -u --user -w --workdir -v --volume --mount --name -p --publish --network --net --entrypoint --env-file -l --label -m --memory --cpus --platform --pull -h --hostname --add-host --cap-add --cap-drop --device --dns --expose --gpus --ip --link --log-driver --log-opt --pid --ipc --restart --runtime --security-opt --shm-size --tmpfs --ulimit --index --detach-keys -c --context -H --host --config --log-level -f --file --project-name --project-directory --profile'.split(
    ' ',
  ),
);

function unwrapContainer(command: SimpleCommand, scope: Scope): Unwrapped {
  let i = 0;
  const verb = (): string => {
    while (command.args[i]?.value.startsWith('-'))
      i += containerValued.has(command.args[i]?.value ?? '') ? 2 : 1;
    return command.args[i++]?.value ?? '';
  };
  let word = verb();
  if (word === 'compose' || word === 'container') word = verb();
  if (word !== 'exec' && word !== 'run') return undefined;
  const from = i;
  verb();
  const entry = command.args.findIndex((arg, at) => at >= from && arg.value.startsWith('--entrypoint'));
  if (entry !== -1) {
    const value = command.args[entry]?.value ?? '';
    const program = value.includes('=')
      ? { ...(command.args[entry] as Arg), value: value.slice(13) }
      : command.args[entry + 1];
    if (program) judgeInner(command, [program, ...command.args.slice(i)], scope);
  }
  const rest = command.args.slice(i).filter((arg, at) => !(at === 0 && arg.value === '--'));
  if (entry === -1 && rest[0]?.value.startsWith('-')) return 'judged';
  const judged = rest.length > 0 && entry === -1 && judgeInner(command, rest, scope);
  const plain =
    command.args.slice(0, from).every((arg) => !arg.value.startsWith('-')) &&
    command.args
      .slice(from, i - 1)
      .every((arg) => !/^--?(?:privileged|v|volume|mount|detach-keys|env-file)/.test(arg.value));
  return judged && word === 'exec' && plain ? 'clear' : 'judged';
}

function unwrapPod(command: SimpleCommand, scope: Scope): Unwrapped {
  const verbs = operands(
    command,
    '-n --namespace --context --kubeconfig --cluster --user -s --server -c --container -l --selector',
  );
  if (!['exec', 'debug', 'run', 'attach'].includes(verbs[0]?.value ?? '')) return undefined;
  const dashes = command.args.findIndex((arg) => arg.value === '--');
  if (dashes !== -1) judgeInner(command, command.args.slice(dashes + 1), scope);
  else if (verbs[0]?.value === 'exec') judgeInner(command, verbs.slice(2), scope);
  return 'judged';
}
