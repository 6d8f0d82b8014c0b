import type { Examples } from './examples.ts';

export const guardExamples: Examples = {
  'parse-error': {
    hits: ['ls "open', 'ls && ', 'if true; then ls'],
    misses: ['ls "closed"'],
  },
  'hidden-substitution': {
    hits: ['a=($(rm -rf x))y; ls', "test -v 'a[$(reboot)0]'", "let 'a[$(reboot)]=1'"],
    misses: ["echo '$(date)'", 'echo "$(date)"', "awk '{print $(NF)}' f"],
  },
  'command-not-literal': {
    hits: ['$CMD -rf x', '$(echo rm) x', '/bin/r? x', 'a=ls; $a', '{rm,-rf,x}'],
    misses: ['ls $DIR', 'echo $CMD', '"$PYTHON" -m pip install x'],
  },
  'deceptive-text': {
    hits: ['r\u200dm -rf x', '\uff52\uff4d -rf /', 'ls \u2066# safe\u2069'],
    misses: ["echo 'caf\u00e9'", 'ls'],
  },
  'too-deep': {
    hits: [`${'$('.repeat(12)}ls${')'.repeat(12)}`],
    misses: ['echo $(echo $(date))'],
  },
  'too-long': {
    hits: [`echo ${'a'.repeat(70_000)}`],
    misses: ['ls'],
  },
  nested: {
    hits: [`${'{ '.repeat(9)}ls; ${'}; '.repeat(9)}`],
    misses: ['{ { ls; }; }'],
  },
  'nothing-to-run': {
    hits: ['# only a comment'],
    misses: ['ls'],
  },
  long: {
    hits: [`echo ${'a'.repeat(10_001)}`],
    misses: ['ls'],
  },
  'unusual-characters': {
    hits: ['ls\r', 'echo \u001b[2K hidden', "echo '\u00e9'"],
    misses: ['ls\n'],
  },
  'broken-word': {
    hits: ['l\\\ns x', 'ls 2\\\n>/dev/null', "sort $'a\\\nb'"],
    misses: ['ls \\\n  -la'],
  },
  'quoted-substitution': {
    hits: ["echo '$(date)'", "awk '{print $(NF)}' f"],
    misses: ['echo "$(date)"'],
  },
  assignment: {
    hits: ['A=1', 'A=1 ls', 'PATH=. ls'],
    misses: ['ls a=1'],
  },
  'function-definition': {
    hits: ['f() { ls; }; f'],
    misses: ['ls f'],
  },
  coproc: {
    hits: ['coproc ls'],
    misses: ['ls'],
  },
  arithmetic: {
    hits: ['echo $((x))', '((x=1))'],
    misses: ['echo x'],
  },
  'double-bracket': {
    hits: ['[[ -f a ]]'],
    misses: ['[ -f a ]'],
  },
  'expansion-operator': {
    hits: ['echo ${x:-y}', 'echo ${x/a/b}', 'echo ${!x}', 'echo {1..999}{1..999}'],
    misses: ['echo $x', 'echo ${x}'],
  },
  subshell: {
    hits: ['ls || (pwd && echo hi)'],
    misses: ['(ls)', '(cd src && ls)'],
  },
  'open-loop': {
    hits: ['while :; do ls; done'],
    misses: ['for a in 1 2; do ls; done'],
  },
  job: {
    hits: ['sleep 1 & wait', 'node server.js & id=$!; curl localhost; kill $id'],
    misses: ['sleep 1', 'sleep 1 &', 'sleep 1 & disown; wait'],
  },
  background: {
    hits: ['sleep 1 &'],
    misses: ['sleep 1'],
  },
  descriptor: {
    hits: ['>&-ls victim', 'ls 2>&x'],
    misses: ['ls 2>&1', 'ls >&-'],
  },
  'file-write': {
    hits: ['ls > out', 'ls 2>err', 'ls &> all', 'echo x > /dev/tty'],
    misses: ['ls > /dev/null', 'ls 2>&1'],
  },
  'not-proven-safe': {
    hits: ['frobnicate', 'npm test', 'sort -o a b'],
    misses: ['ls', 'sort a'],
  },
};
