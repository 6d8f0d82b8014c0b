interface Prefix {
  readonly valued?: string;
  readonly skip?: number;
  readonly env?: boolean;
}

/** Programs that run the command behind their own options: which options take a word, how many words come first. */
const prefixes: ReadonlyMap<string, Prefix> = new Map(
  Object.entries<Prefix>({
    sudo: { valued: '-u -g -h -p -C -r -t -T -U -D -R --user --group --chdir', env: true },
    doas: { valued: '-u -C' },
    env: { valued: '-u --unset -C --chdir -S', env: true },
    nice: { valued: '-n --adjustment' },
    ionice: { valued: '-c -n' },
    nohup: {},
    setsid: {},
    timeout: { valued: '-k -s --kill-after --signal', skip: 1 },
    time: { valued: '-f -o' },
    stdbuf: { valued: '-i -o -e' },
    command: {},
    builtin: {},
    exec: { valued: '-a' },
    busybox: {},
  }),
);

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export interface Unwrapped {
  /** Without its folder; null where it is not known. */
  name: string | null;
  /** The first word that belongs to it. */
  args: number;
  /** Found behind another program: then it cannot change this shell. */
  wrapped: boolean;
  /** Behind a program that changes where it runs (`sudo -D`, `env -C`): relative paths are not known. */
  moved: boolean;
}

/** Finds the program behind `sudo`, `env`, `timeout` and the like. `words[0]` is the name as written. */
export function unwrap(words: readonly (string | null)[]): Unwrapped {
  let at = 0;
  let moved = false;
  let wrapped = false;
  for (let depth = 0; depth < 8; depth++) {
    const name = words[at] ?? null;
    const prefix = name === null ? undefined : prefixes.get(baseName(name));
    if (name === null || !prefix || at === words.length - 1)
      return { name: name === null ? null : baseName(name), args: at + 1, wrapped, moved };
    const valued = new Set((prefix.valued ?? '').split(' '));
    let skip = prefix.skip ?? 0;
    let next = at + 1;
    for (; next < words.length; next++) {
      const word = words[next] ?? '';
      if (word === '--') {
        next += 1;
        break;
      }
      if (/^(?:-C|-D|--chdir)/.test(word)) moved = true;
      if (/^-./.test(word)) next += valued.has(word) ? 1 : 0;
      else if (prefix.env && /^[A-Za-z_]\w*=/.test(word)) continue;
      else if (skip > 0) skip -= 1;
      else break;
    }
    if (next >= words.length) return { name: baseName(name), args: at + 1, wrapped, moved };
    if (!/^(?:command|builtin)$/.test(name)) wrapped = true;
    at = next;
  }
  return { name: null, args: words.length, wrapped: true, moved };
}
