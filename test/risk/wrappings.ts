import { wrapperRows } from '../../src/core/shell/wrappers.ts';
import { evaluations, files } from './evaluations.ts';
import type { Random } from './mutants.ts';

/** Seeded commands that try to delete a canary (`canary`, `keep/precious`), wrapped in whatever may run them. */

/** Shell text; `simple` where it is one program with its words, so that words can be put before it. */
interface Piece {
  readonly text: string;
  readonly simple: boolean;
}

const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;
const single = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const double = (text: string): string => `"${text.replace(/["\\$`]/g, '\\$&')}"`;
const quoted = (random: Random, text: string): string =>
  random(3) === 0 && !text.includes('!') ? double(text) : single(text);

/** They take long to start, so they are rare. */
const slow = /^(?:gdb|python3|cmake|man|vim|ex|tclsh|MANPAGER|ssh|scp|GIT_SSH|strace|sqlite3)\b/;

/** One that is made of the others of its kind. */
function made<T extends readonly unknown[]>(
  random: Random,
  from: readonly ((random: Random, ...rest: T) => string)[],
  ...rest: T
): string {
  for (;;) {
    const text = pick(random, from)(random, ...rest);
    if (!slow.test(text) || random(6) === 0) return text;
  }
}

/** A name as a shell may be made to read it. */
function bent(random: Random, name: string): string {
  const way = random(14);
  const at = 1 + random(Math.max(1, name.length - 1));
  const [head, tail] = [name.slice(0, at), name.slice(at)];
  if (way === 0) return `${head}\\${tail || ''}`.replace(/\\$/, '');
  if (way === 1) return `${head}''${tail}`;
  if (way === 2) return `"${name}"`;
  if (way === 3) return `$'\\x${(name.codePointAt(0) ?? 0).toString(16)}'${name.slice(1)}`;
  if (way === 4 && name === 'rm') return '/bin/rm';
  if (way === 5) return `${head}"${tail}"`;
  return name;
}

const deletions: readonly ((random: Random) => string)[] = [
  (random) => `${bent(random, 'rm')} -rf keep`,
  (random) => `${bent(random, 'rm')} canary`,
  (random) => `${bent(random, 'rm')} -f -- ${pick(random, ['canary', './canary', 'can*', '"canary"'])}`,
  (random) => `${bent(random, 'rm')} -r keep canary`,
  (random) => `${bent(random, 'unlink')} canary`,
  (random) => `${bent(random, 'shred')} -u canary`,
  (random) => `${bent(random, 'truncate')} -s 0 canary`,
  () => 'find keep -delete',
  () => "find . -name canary -exec rm {} ';'",
  () => 'find . -name canary -execdir rm {} +',
  () => `perl -e 'unlink "canary"'`,
  () => 'perl -e "unlink glob q(can*)"',
  () => `python3 -c 'import os; os.remove("canary")'`,
  () => `python3 -c 'import shutil; shutil.rmtree("keep")'`,
  () => `python3 -c 'from pathlib import Path; Path("canary").unlink()'`,
  () => 'tar cf /dev/null --remove-files canary',
  () => 'zip -qm x.zip canary',
  () => 'dd if=/dev/null of=canary',
  () => 'cmake -E rm canary',
  () => 'cmake -E remove_directory keep',
  () => `vim -es -u NONE -c 'call delete("canary")' -c 'qa!'`,
  () => `tclsh <<< 'file delete canary'`,
];

/** Words before a simple command; what cannot be known of their options is random. */
const before: readonly ((random: Random) => string)[] = [
  (random) =>
    `env${pick(random, ['', ' -i', ' -u X', ' A=1', ' -i A=1 B=2', ' --', ' -', ' -v', ' --unset=X', ' -C .'])}`,
  (random) =>
    `timeout${pick(random, ['', ' -k 1', ' -s KILL', ' --foreground', ' --preserve-status', ' -v', ' --kill-after=1'])} 5`,
  (random) => `nice${pick(random, ['', ' -n 3', ' -5', ' --adjustment=3', ' -n3', ' --adj 2'])}`,
  (random) => `ionice${pick(random, ['', ' -c 3', ' -c3', ' -t', ' -t -c 3', ' -tc3', ' --class idle'])}`,
  () => 'nohup',
  (random) => `setsid${pick(random, [' -w', ' --wait', ' -w -c', ' -fw'])}`,
  (random) => `stdbuf${pick(random, [' -oL', ' -o L', ' -i0 -o0', ' --output=L', ' --out L'])}`,
  (random) => `chrt${pick(random, [' -o 0', ' -b 0', ' -i 0', ' --batch 0', ' -vo 0'])}`,
  (random) => `taskset${pick(random, [' -c 0', ' 1', ' 0x1', ' -ac 0', ' --cpu-list 0', ' -a 1'])}`,
  (random) => `prlimit${pick(random, [' --nofile=100', ' -n100', ' --core=0 --cpu=9', ' --nofile=100 --'])}`,
  (random) => `setarch${pick(random, [' x86_64', ' x86_64 -R', ' -R', ' linux64', ' --addr-no-randomize'])}`,
  (random) => pick(random, ['linux64', 'linux64 -R', 'x86_64']),
  (random) => `choom${pick(random, [' -n 0 --', ' -n 0', ' --adjust 0 --', ' -n0'])}`,
  (random) =>
    `flock${pick(random, ['', ' -n', ' -x', ' -w 1', ' -E 3', ' -nE 3', ' --nonblock', ' --conflict-exit-code 3'])} lock`,
  (random) => `find . -maxdepth 0 ${pick(random, ['-exec', '-name . -exec', '-execdir'])}`,
  (random) =>
    `xargs -a line${pick(random, ['', ' -n1', ' -I{}', ' -L 1', ' -r', ' -0', ' -t', ' -P 2', ' -d x', ' --max-lines', ' --max-args=1', ' -l', ' -0n1', ' -tI{}', ' -x', ' --verbose', ' -i', ' -e', ' -o'])}`,
  (random) =>
    `echo x | xargs${pick(random, ['', ' -n1', ' -I %', ' -r', ' --replace', ' --no-run-if-empty'])}`,
  (random) =>
    pick(random, [
      'time',
      'time -p',
      'command',
      'command -p',
      'exec',
      'exec -a x',
      'builtin command',
      '!',
      '\\command',
    ]),
  (random) =>
    pick(random, ['/usr/bin/env', '/bin/nice', '/usr/bin/time -f x', '/usr/bin/time -o t', 'time -p env']),
  () => '/lib64/ld-linux-x86-64.so.2',
  (random) => pick(random, ['strace -o t', 'strace -fo /dev/null', 'strace -qq -o t -e trace=none']),
  (random) => pick(random, ['setpriv', 'setpriv --no-new-privs', 'setpriv --nnp --']),
  (random) => pick(random, ['unshare', 'unshare -r', 'unshare --map-root-user --', 'capsh -- -c "$0 $@"']),
  (random) => pick(random, ['A=1', 'A=1 B="x y"', 'LC_ALL=C', '>out', '2>/dev/null', '</dev/null', '3>&1']),
  (random) => `gdb -batch -ex run --args`.concat(random(2) ? '' : ''),
  (random) => pick(random, ['script -q -c x /dev/null;', 'true &&', 'false ||', ':;', 'cd . &&', 'sleep 0;']),
];

/** Options out of the table of wrappers, and letters that nobody knows. */
function fromTable(random: Random): string {
  const [names, row] = pick(random, wrapperRows);
  const words = [pick(random, names.split(' '))];
  if (row.after) words.push(...row.after.split(' ').map((either) => pick(random, either.split('|'))));
  const options = (row.valued ?? '').split(' ').filter(Boolean);
  for (let n = random(3); n > 0; n--) {
    const kind = random(4);
    if (kind === 0 && options.length > 0)
      words.push(pick(random, options), pick(random, ['1', 'x', '0', '.']));
    else if (kind === 1) words.push(`-${String.fromCodePoint(97 + random(26))}`);
    else if (kind === 2) words.push(`--${pick(random, ['verbose', 'quiet', 'foo', 'wait', 'x=1'])}`);
    else words.push(pick(random, ['-', '1', 'x', 'A=1', '0']));
  }
  for (let n = row.skip ?? 0; n > 0; n--) words.push(pick(random, ['1', '5', 'x', '0']));
  if (row.dashes || random(5) === 0) words.push('--');
  return words.join(' ');
}

/** Text that another program, or the shell itself, is made to run. */
const around: readonly ((random: Random, text: string) => string)[] = [
  (random, text) =>
    `${pick(random, ['sh', 'bash', 'dash', '/bin/sh', 'bash --norc', 'bash -e'])} -c ${quoted(random, text)}`,
  (random, text) =>
    `bash ${pick(random, ['-ec', '-euc', '-xc', '-oc posix', '-Oc extglob', '-c --', '+x -c', '-c -x', '-lc', '-uo pipefail -c', '-n +n -c', '-co posix'])} ${quoted(random, text)}`,
  (random, text) =>
    `${pick(random, ['sh', 'bash', 'bash -s', 'bash -s x', 'bash /dev/stdin', '. /dev/stdin', 'source /dev/stdin', 'env bash', 'timeout 5 sh'])} <<< ${quoted(random, text)}`,
  (random, text) =>
    `${pick(random, ['{ sh; }', '( bash )', 'if :; then sh; fi', 'for i in 1; do sh; done', 'case x in x) bash;; esac', 'while sh; do break; done', 'until sh; do break; done', '{ ( sh ); }', 'time sh'])} <<< ${quoted(random, text)}`,
  (random, text) =>
    `${pick(random, ['echo', 'printf %s', 'cat <<<', 'command echo'])} ${single(text)} | ${pick(random, ['sh', 'bash', '{ sh; }', '( sh )', 'if :; then bash; fi', 'tee t | sh', 'cat | sh', 'env sh', 'eval sh', 'xargs -0 -I% sh -c %', '. /dev/stdin', 'for i in 1; do sh; done'])}`,
  (_random, text) => `sh <<'X'\n${text}\nX`,
  (_random, text) => `{ bash; } <<X\n${text.replace(/[\\$`]/g, '\\$&')}\nX`,
  (random, text) =>
    `f() { ${pick(random, ['sh', 'bash -s', '{ sh; }', 'command sh'])}; }; ${pick(random, ['f <<<', 'echo'])} ${single(text)}`.replace(
      /echo ('[\s\S]*)$/,
      'echo $1 | f',
    ),
  (_random, text) => `f() { ${text}\n}; f`,
  (random, text) => `eval ${quoted(random, text)}`,
  (_random, text) => `trap ${single(text)} EXIT`,
  (random, text) =>
    `${pick(random, ['echo', ':', 'true', 'x=', 'cat <<<', 'export x=', 'local_x='])}${pick(random, [' ', ' '])}$(${text}\n)`.replace(
      '= $',
      '=$',
    ),
  (_random, text) => (text.includes('`') || text.includes('\\') ? `: $(${text}\n)` : `: \`${text}\``),
  (_random, text) => `cat <(${text}\n)`,
  (_random, text) => `echo x > >(${text}\n); wait`,
  (_random, text) => `if ${text}\nthen :; fi`,
  (_random, text) => `for i in 1; do ${text}\ndone`,
  (_random, text) => `while ${text}\ndo break; done`,
  (_random, text) => `case x in x) ${text}\n;; esac`,
  (_random, text) => `{ ${text}\n}`,
  (_random, text) => `( ${text}\n)`,
  (_random, text) => `[[ $(${text}\n) ]]`,
  (_random, text) => `coproc { ${text}\n}; wait`,
  (_random, text) => `x=${single(text)}; eval "$x"`,
  (_random, text) => `x=${single(text)}; bash -c "$x"`,
  (_random, text) => `export x=${single(text)}; bash -c 'eval "$x"'`,
  (_random, text) => `exec <<< ${single(text)}; sh`,
  (_random, text) => `exec 3<<< ${single(text)}; sh <&3`,
  (_random, text) => `coproc sh; echo ${single(text)} >&"\${COPROC[1]}"; eval "exec \${COPROC[1]}>&-"; wait`,
  (random, text) =>
    `env ${pick(random, ['-S', '-vS', '-iS', '--split-string=', '-u X -S', '--split-string ', '-S'])}${pick(random, ['', ' '])}${quoted(random, `sh -c ${double(text)}`)}`,
  (_random, text) => `perl -e ${single(`system(q\u{1}${text}\u{1})`.replaceAll('\u{1}', '~'))}`,
  (_random, text) => `perl -e ${single(`exec q~${text}~`)}`,
  (_random, text) => `perl -we ${single(`open P,"|sh";print P q~${text}~`)}`,
  (_random, text) => `python3 -c ${single(`import os; os.system(r'''${text}''')`)}`,
  (_random, text) => `python3 -c ${single(`import subprocess as s; s.run(r'''${text}''', shell=True)`)}`,
  (_random, text) => `python3 -m timeit -n1 -r1 ${single(`import os; os.system(r'''${text}''')`)}`,
  (_random, text) => `python3 <<< ${single(`import os; os.system(r'''${text}''')`)}`,
  (random, text) =>
    `awk ${pick(random, ['BEGIN', 'END'])}${single(`{system("${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}")}`)} /dev/null`.replace(
      /awk (BEGIN|END)'/,
      "awk '$1",
    ),
  (_random, text) => `awk -v c=${single(text)} 'BEGIN{system(c)}'`,
  (_random, text) => `awk -v c=${single(text)} 'BEGIN{c | getline}'`,
  (_random, text) => `awk -v c=${single(text)} 'BEGIN{print c | "sh"}'`,
  (_random, text) => `sed ${single(`1e ${text.replaceAll('\n', ';')}`)} line`,
  (_random, text) => `sed -n -f - line <<< ${single(`1e ${text.replaceAll('\n', ';')}`)}`,
  (_random, text) =>
    `sed ${single(`s\u{1}.*\u{1}${text.replace(/[&\\]/g, '\\$&').replaceAll('\n', ';')}\u{1}e`.replaceAll('\u{1}', '|'))} line`,
  (_random, text) =>
    `make -s -f - <<< ${single(`a:\n\t${text.replaceAll('$', '$$').replaceAll('\n', ';')}`)}`,
  (_random, text) => `make -s --eval=${single(`a:;${text.replaceAll('$', '$$').replaceAll('\n', ';')}`)} a`,
  (_random, text) =>
    `make -s --eval ${single(`$(shell ${text.replaceAll('$', '$$').replaceAll('\n', ';')})`)}`,
  (_random, text) => `git -c alias.x=${single(`!${text}`)} x`,
  (_random, text) => `git -c core.pager=${single(text)} -p help -a`,
  (_random, text) => `GIT_PAGER=${single(text)} git -p help -a`,
  (_random, text) => `GIT_SSH_COMMAND=${single(text)} git ls-remote h:x`,
  (_random, text) => `git ls-remote ${single(`ext::sh -c ${text.replaceAll(' ', '% ')}`)}`,
  (_random, text) =>
    `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0=${single(`!${text}`)} git x`,
  (_random, text) => `ed -s line <<< ${single(`!${text.replaceAll('\n', ';')}`)}`,
  (_random, text) => `vim -es -u NONE -c ${single(`!${text.replaceAll('\n', ';')}`)} -c 'qa!'`,
  (_random, text) => `ex -s -c ${single(`!${text.replaceAll('\n', ';')}`)} -c 'qa!' line`,
  (_random, text) => `tar cf /dev/null line --checkpoint=1 --checkpoint-action=exec=${single(text)}`,
  (_random, text) => `tar cf x.tar line && tar xf x.tar --to-command=${single(text)}`,
  (_random, text) => `tar cf x.tar line && tar xf x.tar --to-comm ${single(text)}`,
  (_random, text) => `tar -I ${single(`sh -c ${double(text)}`)} -cf x.tar line`,
  (_random, text) => `split --filter=${single(text)} line`,
  (random, text) =>
    `flock ${pick(random, ['lock -c', '-n lock -c', 'lock --command', '-xn lock -c'])} ${quoted(random, text)}`,
  (random, text) =>
    `script ${pick(random, ['-qc', '-q -c', '-qec', '--quiet --command', '-q --command='])}${pick(random, [' ', ' '])}${quoted(random, text)} /dev/null`.replace(
      '--command= ',
      '--command=',
    ),
  (_random, text) => `find . -maxdepth 0 -exec sh -c ${single(text)} ';'`,
  (_random, text) => `xargs -a line -I{} sh -c ${single(text)}`,
  (_random, text) => `echo ${single(text)} | xargs -0 sh -c`,
  (_random, text) => `echo ${single(text)} | xargs -0 -I{} bash -c {}`,
  (_random, text) => `sqlite3 :memory: ${single(`.shell ${text.replaceAll('\n', ';')}`)}`,
  (_random, text) => `sqlite3 :memory: <<< ${single(`.system ${text.replaceAll('\n', ';')}`)}`,
  (_random, text) => `gdb -batch -ex ${single(`shell ${text.replaceAll('\n', ';')}`)}`,
  (_random, text) => `gdb -batch -ex ${single(`!${text.replaceAll('\n', ';')}`)}`,
  (_random, text) => `cmake -E env A=1 sh -c ${single(text)}`,
  (_random, text) => `ssh -o ProxyCommand=${single(text)} h`,
  (_random, text) => `scp -o ${single(`ProxyCommand ${text}`)} line h:`,
  (_random, text) => `PS4='$(${text.replaceAll("'", '"')})' bash -xc :`,
  (_random, text) => `env 'BASH_FUNC_ls%%=() { '${single(text)}$'\\n}' bash -c ls`,
  (_random, text) => `mapfile -C ${single(`${text} #`)} -c 1 x < line`,
  (_random, text) => `tclsh <<< ${single(`exec sh -c {${text}}`)}`,
  (_random, text) => `LESSOPEN=${single(`|${text}`)} less -f line`,
  (_random, text) => `MANPAGER=${single(text)} PAGER=${single(text)} man -l line`,
  (_random, text) => `echo ${single(text)} > s.sh; ${'bash'} s.sh`,
  (_random, text) => `printf '#!/bin/sh\\n%s\\n' ${single(text)} > s; chmod +x s; ./s`,
  (_random, text) => `sort --compress-program=${single(text)} -S1 line`,
  (_random, text) => `start-stop-daemon -S -x /bin/sh -- -c ${single(text)}`,
];

const enclosing = [...around, ...evaluations, ...files];

/** More arguments arrive on the standard input. */
const fed = (random: Random): string =>
  `${pick(random, ['echo canary', 'ls canary', 'printf canary', 'find . -name canary'])} | xargs ${pick(random, ['', '-r ', '-n1 ', '-I{} ', '-t ', '--max-lines ', '-0 ', '-o '])}${bent(random, 'rm')}${pick(random, ['', ' -f', ' {}', ' --'])}`;

/** One command that may delete the canary. */
export function wrapping(random: Random): string {
  let piece: Piece =
    random(12) === 0 ? { text: fed(random), simple: false } : { text: made(random, deletions), simple: true };
  for (let depth = random(4); depth > 0; depth--) {
    if (random(5) < 2) {
      if (!piece.simple) piece = { text: `sh -c ${single(piece.text)}`, simple: true };
      const words = random(4) === 0 ? fromTable(random) : made(random, before);
      const ending = /-exec(?:dir)?$/.test(words) ? " ';'" : '';
      piece = { text: `${words} ${piece.text}${ending}`, simple: !/^(?:!|time)|[;&|]/.test(words) };
    } else piece = { text: made(random, enclosing, piece.text), simple: false };
  }
  return piece.text;
}
