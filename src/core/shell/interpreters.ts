import { optionValues } from './options.ts';
import type { StartedPlace, Words } from './started.ts';

/** Programs that run shell text. */
const shells = new Set(
  'sh bash zsh dash ksh ksh93 mksh ash fish rbash csh tcsh yash oksh elvish nu xonsh'.split(' '),
);

/** Shells whose text is not what bash would make of it. */
const others = new Set('zsh fish csh tcsh elvish nu xonsh'.split(' '));

export const isBashLike = (name: string): boolean => shells.has(name) && !others.has(name);
export const isShell = (name: string): boolean => shells.has(name);
export const isPwsh = (name: string): boolean => /^(?:pwsh|powershell)$/i.test(name);

/** How a shell was called. */
export interface ShellCall {
  /** `-c` was given; `script` is where its text stands. */
  readonly command: boolean;
  readonly script?: number;
  /** So many characters of that word come before it. */
  readonly skip?: number;
  readonly file?: number;
  /** `-n`, `--version`: runs nothing. */
  readonly dry?: boolean;
  /** Only options that change nothing about what runs. */
  readonly plain: boolean;
}

const valued = new Set(['-o', '+o', '-O', '+O', '--rcfile', '--init-file']);

export function shellCall(words: Words): ShellCall {
  let [command, plain, dry] = [false, true, false];
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--' || word === '-') {
      at++;
      break;
    }
    if (!/^[-+]./.test(word)) break;
    if (word.startsWith('--')) {
      if (/^--(?:rcfile|init-file)/.test(word)) plain = false;
      if (/^--(?:version|help)$/.test(word)) dry = true;
      const joint = /^--(?:commands?|init-command|execute)=/.exec(word)?.[0].length;
      if (joint !== undefined) return { command: true, plain: false, script: at, skip: joint };
      if (/^--(?:commands?|init-command|execute)$/.test(word)) command = true;
    } else {
      if (word.startsWith('-') && word.includes('c')) command = true;
      if (/^-[a-z]*n/.test(word) && !word.includes('o')) dry = true;
      if (/^\+[a-z]*n/.test(word)) dry = false;
      if (/[sioODv]/.test(word)) plain = false;
      if (/s/.test(word) && word.startsWith('-') && !command) return { command: false, plain: false };
    }
    if (valued.has(word)) at++;
    else if (!word.startsWith('--')) at += word.replace(/[^oO]/g, '').length;
  }
  const call = { command, plain, dry };
  if (at >= words.length) return call;
  return command ? { ...call, script: at } : { ...call, file: at };
}

/** A language whose programs can be given on the command line. */
interface Language {
  readonly names: RegExp;
  /** Options whose value is code. */
  readonly code: readonly string[];
  /** Options that mean that no file or standard input is read. */
  readonly module?: readonly string[];
  readonly valued?: string;
}

const languages: readonly Language[] = [
  { names: /^(?:rails|gitlab-rails)$/, code: ['runner', 'r'] },
  {
    names: /^(?:python[\d.]*|pypy[\d.]*|ipython[\d.]*|jython|micropython)$/,
    code: ['-c'],
    module: ['-m'],
    valued: '-W -X',
  },
  {
    names: /^(?:node|nodejs|bun|deno|tsx|ts-node|qjs)$/,
    code: ['-e', '--eval', '-p', '--print', '-pe'],
    valued: '-r --require --import --loader --env-file',
  },
  { names: /^(?:perl[\d.]*|raku)$/, code: ['-e', '-E'], valued: '-I -M' },
  { names: /^(?:ruby[\d.]*|irb|jruby)$/, code: ['-e'], valued: '-I -r' },
  { names: /^(?:php[\d.]*)$/, code: ['-r', '-B', '-R', '-E'], valued: '-d -c -f' },
  {
    names:
      /^(?:lua[\d.]*|luajit|tclsh[\d.]*|wish|expect|R|Rscript|julia|groovy|iex|scala|ghci|ghc|runghc|elixir|erl|guile|racket|sbcl|clisp|ecl|clojure|clj|bb|octave|kotlin|kotlinc|ocaml|swipl|gst|crystal|nim|dart|jshell|jrunscript|osascript|gnuplot|maxima|sage|gp|csi|dotnet-script|nashorn|pike|factor|janet|fennel|hy|gjs)$/,
    code: ['-e', '--eval', '-eval', '--execute', '-E', '-c', '-g', '-P', '-x', '-r'],
  },
];

/** A program that runs programs of a language that is no shell's. */
export const isLanguage = (name: string): boolean => languageOf(name) !== undefined;

const languageOf = (name: string): Language | undefined => languages.find(({ names }) => names.test(name));

/** A program whose input is a program. */
export const isInterpreter = (name: string): boolean => isShell(name) || isPwsh(name) || isLanguage(name);

/** How an interpreter of another language was called. */
export interface CodeCall {
  /** Where the code stands that it was given. */
  readonly code: readonly StartedPlace[];
  /** An option that code belongs to was given, perhaps without any. */
  readonly asked: boolean;
  /** `-m`: what runs is neither in a file that is named nor on the standard input. */
  readonly module: boolean;
  readonly file?: number;
}

/** Undefined where it is no such interpreter. */
export function codeCall(name: string, words: Words): CodeCall | undefined {
  const language = languageOf(name);
  if (!language) return undefined;
  const file = firstOperand(name, words, language);
  return {
    code: codeOf(words, language),
    asked: words.some((word) => language.code.includes(word)),
    module: optionValues(words, language.module ?? []).length > 0,
    ...(file === undefined ? {} : { file }),
  };
}

/** `-c code`, `-ccode`, and the last letter of a cluster: `-lne code`. */
function codeOf(words: Words, language: Language): StartedPlace[] {
  const found = optionValues(words, language.code);
  if (found.length > 0) return found;
  const cluster = words.findIndex(
    (word) => /^-[A-Za-z]{2,6}$/.test(word) && language.code.some((name) => word.endsWith(name[1] ?? '-')),
  );
  if (cluster > 0 && cluster + 1 < words.length) return [{ at: cluster + 1, skip: 0 }];
  return words[1] === 'eval' && words.length > 2 ? [{ at: 2, skip: 0 }] : [];
}

function firstOperand(name: string, words: Words, language: Language): number | undefined {
  const takes = new Set((language.valued ?? '').split(' '));
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!word.startsWith('-') || word === '-') {
      const file = word === 'run' && /^(?:deno|bun)$/.test(name) ? at + 1 : at;
      return file < words.length ? file : undefined;
    }
    if (takes.has(word)) at++;
  }
  return undefined;
}
