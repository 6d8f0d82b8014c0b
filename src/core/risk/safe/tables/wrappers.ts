import { startsOf } from '../../../shell/index.ts';
import { wordsOf } from '../../args.ts';
import type { ShellScope } from '../../scope.ts';
import type { SimpleCommand } from '../../types.ts';
import { kinds } from '../kinds.ts';
import { provenUntil } from '../prove.ts';
import { linesOf, readSpec, type Spec } from '../spec.ts';

/**
 * Programs that start the command behind their options and add nothing to it that could hurt. The number is how many
 * operands come before that command. Shells that are not bash read other text than we do: none is here.
 */
const table = `
  env ; - -0i -u=name --ignore-environment --null --unset=name ;
  nice ; -# -n=num --adjustment=num ;
  ionice ; -t -cn=num --class=name --classdata=num --ignore ;
  timeout gtimeout ; -v -k=num -s=name --foreground --kill-after=num --preserve-status --signal=name --verbose ; 1
  stdbuf ; -ioe=name --input=name --output=name --error=name ;
  time ; -plv --portability --verbose ;
  command ; -p ;
  builtin ; ;
  caffeinate ; -dimsu -t=num ;
  xargs gxargs ; -0rtx -EId= -Lns=num -P=few -a=file --arg-file=file --delimiter= --eof? --exit --max-args=num --max-chars=num
    --max-procs=few --no-run-if-empty --null --replace? --verbose ;
  sh bash dash ; -ceuxl ;
  docker podman nerdctl ; -it -u=name -w= --interactive --tty --user=name --workdir= ; exec
`;
const specs = new Map<string, { spec: Spec; before: string }>([
  ...linesOf(table).flatMap(({ left, options, operands }) => {
    const row = { spec: readSpec(options, ''), before: operands };
    return left.split(' ').map((name) => [name, row] as const);
  }),
  ['arch', { spec: readSpec('-x86_64 -arm64 -arm64e -i386', '', true), before: '' }],
]);

/** It adds nothing to what it starts: options that are all in the table, and a command just where we read one. */
export function addsNothing(command: SimpleCommand, scope: ShellScope): boolean {
  const row = specs.get(command.name);
  if (!row) return false;
  const isExec = row.before === 'exec';
  if (isExec && command.args[0]?.value !== 'exec') return false;
  const first = provenUntil(row.spec, command, scope, isExec ? 1 : 0);
  if (first === undefined) return false;
  const skip = row.before === '' ? 0 : 1;
  const operand = command.args[first];
  if (skip > 0 && !(operand?.literal && kinds[isExec ? 'name' : 'num']?.(operand.value, scope))) return false;
  const [started, ...others] = startsOf(wordsOf(command))?.started ?? [];
  return (
    started?.from === first + skip + 1 && others.length === 0 && (started.as === 'text' || !started.program)
  );
}
