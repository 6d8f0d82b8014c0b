import { operands, optionValues } from './options.ts';
import {
  type Reader,
  type Started,
  type StartedText,
  type StartedWords,
  starts,
  text,
  type Words,
} from './started.ts';

/** Options of ordinary programs whose value is shell text. */
const scripts: Readonly<Record<string, string>> = {
  tar: '--to-command -I --use-compress-program --rsh-command -F --info-script --new-volume-script',
  gtar: '--to-command -I --use-compress-program --rsh-command -F --info-script',
  bsdtar: '--use-compress-program',
  rsync: '-e --rsh --rsync-path',
  scp: '-S',
  sftp: '-S -D',
  man: '-P --pager -H --html',
  less: '-k',
  su: '-c --command',
  script: '-c --command',
  sort: '--compress-program',
  split: '--filter',
  rg: '--pre --hostname-bin',
  zip: '-TT --unzip-command',
  tcpdump: '-z',
  wget: '--use-askpass',
  sg: '-c',
  newgrp: '-c',
  capsh: '-c',
  gdb: '-ex --ex -iex',
  lldb: '-o -O',
  vim: '-c --cmd',
  vi: '-c --cmd',
  nvim: '-c --cmd',
  ex: '-c',
  fzf: '--preview',
  mapfile: '-C',
  readarray: '-C',
  complete: '-C',
  compgen: '-C',
  bind: '-x',
  nc: '-e -c --exec --sh-exec --lua-exec',
  ncat: '-e -c --exec --sh-exec --lua-exec',
  netcat: '-e -c --exec --sh-exec --lua-exec',
};

/** What a pattern finds in each word is shell text; `unescaped`: backslashes before it are the carrier's. */
const inside =
  (pattern: RegExp, unescaped = false): ((words: Words) => StartedText[]) =>
  (words) =>
    words.flatMap((word, at) =>
      at === 0
        ? []
        : [...word.matchAll(pattern)].flatMap(([, one, other]) => {
            const found = one ?? other ?? '';
            return found === ''
              ? []
              : [{ ...text(at), text: unescaped ? found.replace(/\\(.)/g, '$1') : found }];
          }),
    );

/** Words from this operand on are a command. */
const behind =
  (valued: string, skip: number): ((words: Words) => StartedWords[]) =>
  (words) => {
    const from = operands(words, valued)[skip];
    return from === undefined ? [] : [{ as: 'words', from, to: words.length }];
  };

/** What an editor or a debugger reads itself. */
const own = /^(?:[+:!]|$)/;
const bangs = inside(/(?:^|[:+|\s%\d,$.])(?:silent!?\s*)?!(.+)$|system\(['"](.+?)['"]\)/g);

/** Programs that carry a command in a place of their own. */
const places: Readonly<Record<string, (words: Words) => readonly Started[]>> = {
  tar: inside(/^--checkpoint-action=exec=(.*)$/gs),
  gtar: inside(/^--checkpoint-action=exec=(.*)$/gs),
  socat: inside(/^(?:EXEC|SYSTEM|SHELL):["']?(.*?)["']?$/gi, true),
  vim: bangs,
  vi: bangs,
  nvim: bangs,
  ex: bangs,
  view: bangs,
  gvim: bangs,
  rvim: bangs,
  vimdiff: bangs,
  less: bangs,
  gdb: bangs,
  lldb: bangs,
  more: bangs,
  ed: bangs,
  script: (words) =>
    behind('-c -t -E -T -I -O -B -F -m -o --command', 1)(words).map((one) => ({ ...one, perhaps: true })),
  cmd: (words) => {
    const at = words.findIndex((word) => /^\/[ck]$/i.test(word));
    return at === -1 || at + 1 >= words.length ? [] : [{ as: 'words', from: at + 1, to: words.length }];
  },
  tmux: (words) =>
    operands(words, '-t -s -n -c -F -L -S -f')
      .slice(1)
      .filter((at) => /\s/.test(words[at] ?? ''))
      .map((at) => text(at)),
  screen: behind('-S -c -e -h -s -t -T -p', 0),
  osascript: inside(/do shell script "((?:[^"\\]|\\.)*)"/g, true),
  make: inside(/^(?:SHELL|CC|CXX)=(.*)$/gs),
  eval: (words) => (words.length > 1 ? [text(1, words.length)] : []),
  trap: (words) => {
    const given = operands(words);
    return given.length > 1 ? [text(given[0] ?? 1)] : [];
  },
  alias: inside(/^[^=]+=(.*)$/gs),
};

/** They do nothing but start it. */
const idle = new Set(
  'su script sg newgrp capsh eval trap alias mapfile readarray complete compgen bind tmux screen cmd at batch'.split(
    ' ',
  ),
);

/** Run what they read from their standard input. */
const readers = new Set(['at', 'batch', 'script']);
const moves: Readonly<Record<string, RegExp>> = { su: /^-l?$|^--login$/, tmux: /^/, screen: /^/, at: /^/ };

export const carrierNames: readonly string[] = [...Object.keys(scripts), ...Object.keys(places), ...readers];

/** Shell text in the options and operands of ordinary programs. */
export const readCarrier = (name: string, words: Words): ReturnType<Reader> => {
  const given = optionValues(words, (scripts[name] ?? '').split(' ').filter(Boolean))
    .filter(({ at, skip }) => !(places[name] === bangs ? own : /^$/).test((words[at] ?? '').slice(skip)))
    .map(({ at, skip }) => text(at, at + 1, skip));
  const started = [...given, ...(places[name]?.(words) ?? [])];
  const reads = readers.has(name);
  const inShell = name === 'eval';
  if (started.length === 0 && !reads && !inShell) return undefined;
  const moved = words.some((word) => moves[name]?.test(word) ?? false);
  const needs = name === 'su' ? (['privilege'] as const) : [];
  return starts({ started, reads, moved, inShell, wants: inShell, needs, busy: !idle.has(name) });
};
