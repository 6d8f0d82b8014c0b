import type { Simple } from '../../../core/shell/index.ts';
import { readCommand, shellWord } from '../../../core/shell/index.ts';
import { splice } from '../command/edit.ts';
import type { Mend, MendingRule, SeenFailure } from './rule.ts';

const scriptRunners = 'bash sh source . python python3 node perl ruby zsh dash'.split(' ');

/** The script that a simple command runs: its own name, or the first operand of an interpreter. */
export function scriptOf(simple: Simple): string | null {
  if (simple.name.literal && simple.name.value.includes('/') && !scriptRunners.includes(simple.program))
    return simple.name.value;
  if (!scriptRunners.includes(simple.program)) return null;
  const operand = simple.args.find((arg) => !arg.value.startsWith('-'));
  return operand?.literal === true && !simple.args.some((arg) => /^-\w*[cem]$/.test(arg.value))
    ? operand.value
    : null;
}

export const carriageReturns: MendingRule = {
  id: 'script-crlf',
  about: 'A script has Windows line ends: they are made Unix ones.',
  async propose(seen) {
    const says = /\^M|\\r\b|\\r'|\r['`: ]|\r$/m.test(seen.output.replaceAll('\r\n', '\n'));
    const hides = /required file not found|No such file or directory|invalid option name|not found/.test(
      seen.output,
    );
    if (!says && !hides) return null;
    const scripts = [...new Set(seen.tree.simples.flatMap((simple) => scriptOf(simple) ?? []))];
    if (scripts.length !== 1) return null;
    const script = says ? await withReturns(seen, scripts[0]!) : scripts[0]!;
    const text = await seen.probe.readText(script);
    // Without a look into the script only its own words tell: a carriage return in the message.
    if (text === null ? !says : !text.includes('\r\n')) return null;
    return {
      steps: [{ title: `Give ${script} Unix line ends`, command: `sed -i 's/\\r$//' ${shellWord(script)}` }],
      reasoning: `\`${script}\` has Windows line ends, which the shell takes for part of its words.`,
      confidence: text === null ? 0.85 : 0.94,
    };
  },
};

/** The script itself, or the one file with Windows line ends that it takes in. */
async function withReturns({ probe }: SeenFailure, script: string): Promise<string> {
  const text = (await probe.readText(script)) ?? '';
  if (text.includes('\r\n')) return script;
  const taken = [...text.matchAll(/^\s*(?:\.|source)\s+["']?([\w./-]+)["']?\s*$/gm)].map(([, name]) => name!);
  const found: string[] = [];
  for (const name of new Set(taken))
    if ((await probe.readText(name))?.includes('\r\n') === true) found.push(name);
  return found.length === 1 ? found[0]! : script;
}

/** What an interpreter's script says when the shell reads it instead. */
const readByShell: readonly {
  readonly said: RegExp;
  readonly interpreters: readonly string[];
  readonly extension: RegExp;
}[] = [
  {
    said: /(?:^|: )(?:import|from|def|print|async|class): (?:command not found|not found|can't read|unable to)|import-im6|syntax error near unexpected token `(?:\(|'[^'\n]*'|"[^"\n]*")?'?/m,
    interpreters: ['python3', 'python'],
    extension: /\.py$/,
  },
  {
    said: /(?:^|: )(?:const|let|var|import|require|console\.log|'use strict'|use strict|function): (?:command not found|not found)|syntax error near unexpected token/m,
    interpreters: ['node'],
    extension: /\.[cm]?js$/,
  },
  {
    said: /(?:^|: )(?:require|puts|class|def|use|my|package): (?:command not found|not found)/m,
    interpreters: ['ruby'],
    extension: /\.rb$/,
  },
  {
    said: /(?:^|: )(?:use|my|package|sub): (?:command not found|not found)/m,
    interpreters: ['perl'],
    extension: /\.p[lm]$/,
  },
];

export const missingShebang: MendingRule = {
  id: 'script-no-shebang',
  about: 'A script without a first line that names its interpreter was read by the shell, or by nobody.',
  async propose(seen) {
    for (const simple of seen.tree.simples) {
      const script = simple.name.value;
      const isRun = simple.name.literal && script.includes('/');
      const isSourced = ['bash', 'sh'].includes(simple.program) && simple.args.length > 0;
      if (!isRun && !isSourced) continue;
      const file = isRun ? script : scriptOf(simple);
      if (file === null) continue;
      for (const { said, interpreters, extension } of readByShell) {
        if (!extension.test(file) || !said.test(seen.output)) continue;
        const interpreter = await firstThere(seen, interpreters);
        if (interpreter === null) continue;
        const text = isRun ? `${interpreter} ${simple.name.text}` : interpreter;
        return {
          modify: splice(seen.command, [{ ...simple.name, text }]),
          reasoning: `The shell read \`${file}\`, which is a script for ${interpreter}.`,
          confidence: 0.88,
        };
      }
      if (isRun && /Exec format error/.test(seen.output)) return byFirstLine(seen, simple);
    }
    return null;
  },
};

async function firstThere(seen: SeenFailure, programs: readonly string[]): Promise<string | null> {
  for (const program of programs) if ((await seen.probe.which(program)) !== false) return program;
  return null;
}

/** Nobody could run it: a text without `#!` is one for the shell, where its name or text says so. */
async function byFirstLine(seen: SeenFailure, simple: Simple): Promise<Mend | null> {
  const text = await seen.probe.readText(simple.name.value);
  if (text?.startsWith('#!') === true || text?.includes('\0') === true) return null;
  if (!/\.(?:sh|bash)$/.test(simple.name.value)) return null;
  return {
    modify: splice(seen.command, [{ ...simple.name, text: `bash ${simple.name.text}` }]),
    reasoning: `\`${simple.name.value}\` does not name its interpreter in its first line; it is a shell script.`,
    confidence: 0.82,
  };
}

/** What sh says of the words of bash. */
const notForSh =
  /Syntax error: "\(" unexpected|\[\[: not found|Bad substitution|source: not found|(?:declare|shopt|function|mapfile|pushd): not found|Bad for loop variable|redirection unexpected|Illegal option -o pipefail/;

export const scriptForBash: MendingRule = {
  id: 'script-for-bash',
  about: 'A script in the words of bash was read by sh: bash reads it.',
  async propose(seen) {
    if (!notForSh.test(seen.output) || (await seen.probe.which('bash')) === false) return null;
    const simple = seen.tree.simples.find(
      (found) => ['sh', 'dash'].includes(found.program) || (found.name.literal && scriptOf(found) !== null),
    );
    if (simple === undefined) return null;
    const isShell = ['sh', 'dash'].includes(simple.program);
    const script = scriptOf(simple);
    const isText = isShell && script === null && simple.args.some(({ value }) => /^-\w*c$/.test(value));
    if (script === null && !isText) return null;
    const text = script === null ? simple.args.at(-1)!.value : await seen.probe.readText(script);
    const isNamed = /^#!\S*(?:\/env\s+|\/)bash\b/.test(text ?? '');
    // One that is for another interpreter is not for bash either, and neither is what bash cannot read.
    if (text === null || (!isNamed && /^#!(?!\S*(?:\/env\s+|\/)(?:da)?sh\b)/.test(text))) return null;
    if (!isNamed && readCommand(text).broken) return null;
    return {
      modify: splice(seen.command, [
        isShell ? { ...simple.name, text: 'bash' } : { ...simple.name, text: `bash ${simple.name.text}` },
      ]),
      reasoning: `\`${script ?? simple.program}\` is in the words of bash, which sh does not know.`,
      confidence: isNamed ? 0.92 : 0.86,
    };
  },
};

const firstLine = async ({ probe }: SeenFailure, script: string): Promise<string | null> =>
  (await probe.readText(script))?.split('\n')[0] ?? null;

export const foreignInterpreter: MendingRule = {
  id: 'script-interpreter-elsewhere',
  about: 'A script names its interpreter by a path of another machine; here it is elsewhere.',
  async propose(seen) {
    if (!/required file not found|bad interpreter|No such file or directory|not found/.test(seen.output))
      return null;
    for (const simple of seen.tree.simples) {
      const script = simple.name.value;
      if (!simple.name.literal || !script.includes('/') || scriptOf(simple) === null) continue;
      const named = /^#!\s*(\/\S+)((?:[ \t]+-[\w-]+)*)[ \t]*$/.exec((await firstLine(seen, script)) ?? '');
      const [, path = '', flags = ''] = named ?? [];
      const interpreter = path.slice(path.lastIndexOf('/') + 1);
      if (named === null || interpreter === 'env' || (await seen.probe.kind(path)) !== 'absent') continue;
      if (typeof (await seen.probe.which(interpreter)) !== 'string') continue;
      return {
        modify: splice(seen.command, [
          { ...simple.name, text: `${interpreter}${flags} ${simple.name.text}` },
        ]),
        reasoning: `\`${script}\` wants \`${path}\`, which is not there; ${interpreter} is on the PATH.`,
        confidence: 0.93,
      };
    }
    return null;
  },
};

export const missingInterpreter: MendingRule = {
  id: 'script-interpreter',
  about: 'The interpreter that a script names is not here, but its successor is.',
  async propose(seen) {
    const simple = seen.tree.simples.find((found) => found.name.value.includes('/') && found.name.literal);
    if (simple === undefined) return null;
    const named =
      /: (?:\/\S*\/)?(python2?|nodejs?)[\d.]*: bad interpreter/.exec(seen.output)?.[1] ??
      /env: ['‘"]?(python2?|nodejs?)['’"]?: No such file or directory/.exec(seen.output)?.[1] ??
      (await firstLineOf(seen, simple.name.value));
    if (named === undefined) return null;
    const successors: Record<string, string> = {
      python: 'python3',
      python2: 'python3',
      node: 'nodejs',
      nodejs: 'node',
    };
    const other = successors[named];
    if (other === undefined) return null;
    const there = await seen.probe.which(other);
    if (there === false || (there === null && other !== 'python3')) return null;
    return {
      modify: splice(seen.command, [{ ...simple.name, text: `${other} ${simple.name.text}` }]),
      reasoning: `\`${simple.name.value}\` wants ${named}, which is not here; ${other} is.`,
      confidence: there === null ? 0.75 : 0.88,
    };
  },
};

/** Bash says only that a file is missing; the script itself says which. */
async function firstLineOf(seen: SeenFailure, script: string): Promise<string | undefined> {
  if (!/required file not found|bad interpreter/.test(seen.output)) return undefined;
  const text = await seen.probe.readText(script);
  return /^#!\s*(?:\/usr\/bin\/env )?(?:\/\S*\/)?(python2?|nodejs?)[\d.]*\s*\n/.exec(text ?? '')?.[1];
}

export const unterminatedQuote: MendingRule = {
  id: 'unterminated-quote',
  about: 'The command opens one quote and never closes it.',
  propose(seen) {
    if (
      !/unexpected EOF while looking for matching|Unterminated quoted string|unmatched ["'`]/i.test(
        seen.output,
      ) ||
      !seen.tree.broken
    )
      return null;
    const text = seen.command;
    const quotes = [...text.matchAll(/(?<!\\)["'`]/g)];
    if (/[\n`]|\$\(/.test(text) || quotes.length === 0 || quotes.length > 2) return null;
    const [first, second] = quotes;
    // One opened with one kind and closed, at the very end, with the other.
    if (second !== undefined) {
      if (second[0] === first![0] || second.index !== text.trimEnd().length - 1) return null;
      return {
        modify: text.slice(0, second.index) + first![0],
        reasoning: 'The quote is opened with one mark and closed with another.',
        confidence: 0.8,
      };
    }
    // An apostrophe within a word is no quote that somebody forgot to close.
    if (/\w$/.test(text.slice(0, first!.index))) return null;
    return {
      modify: text.trimEnd() + first![0],
      reasoning: `The quote ${first![0]} is opened and never closed.`,
      confidence: 0.75,
    };
  },
};
