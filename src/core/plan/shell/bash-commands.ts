import { type Command, forEachChild, type ParsedScript, type Redirection, type SyntaxNode } from 'unbash';
import { parseBash } from './parse-bash.ts';

/** One simple command of a script, as far as it can be known without running it. */
export interface BashCommand {
  /** The words after wrappers such as `sudo` and `env` are taken away; a word that is not fixed text is as written. */
  words: readonly string[];
  /** All words as written, wrappers too. */
  allWords: readonly string[];
  /** The name is fixed text, so `words[0]` is what runs. */
  literal: boolean;
  /** Something feeds its standard input: a pipe, a file, a here-document. */
  fed: boolean;
  background: boolean;
}

export interface BashScript {
  commands: BashCommand[];
  functions: Set<string>;
  /** The first thing the grammar could not read. */
  error: { message: string; pos: number } | null;
}

/** The commands of a bash script, those in substitutions and functions too. Never throws. */
export function bashCommands(text: string): BashScript {
  const script: BashScript = { commands: [], functions: new Set(), error: null };
  const parsed = parseBash(text);
  if ('script' in parsed) visit(parsed.script, { fed: false, background: false }, script);
  else script.error = { message: parsed.why, pos: 0 };
  return script;
}

interface Around {
  fed: boolean;
  background: boolean;
}

function visit(node: SyntaxNode, around: Around, script: BashScript): void {
  switch (node.type) {
    case 'Script': {
      const [error] = (node as ParsedScript).errors ?? [];
      if (error !== undefined) script.error ??= { message: error.message, pos: error.pos };
      break;
    }
    case 'Function':
      script.functions.add(node.name.value);
      break;
    case 'Command':
      addCommand(node, around, script);
      break;
    case 'Select':
      script.commands.push({
        words: ['select'],
        allWords: ['select'],
        literal: true,
        ...around,
      });
      break;
    default:
  }
  const below = belowOf(node, around);
  forEachChild(node, (child) => {
    const piped = node.type === 'Pipeline' && child !== node.commands[0];
    visit(child, piped ? { ...below, fed: true } : below, script);
  });
}

function belowOf(node: SyntaxNode, around: Around): Around {
  if (node.type === 'Redirected') return { ...around, fed: around.fed || node.redirects.some(feeds) };
  if (node.type === 'Statement') return { ...around, background: node.background === true };
  if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution')
    return { ...around, background: false };
  return around;
}

const feeds = (redirect: Redirection): boolean =>
  /^<(?!>)/.test(redirect.operator) && redirect.operator !== '<&';

function addCommand(node: Command, around: Around, script: BashScript): void {
  if (node.name === undefined) return;
  const all = [node.name, ...node.args].map((word) => (word.type === 'Word' ? word.value : word.text));
  const words = unwrap(all);
  script.commands.push({
    words,
    allWords: all,
    literal: !/[$`*?]/.test(node.name.text) && !(words[0] ?? '').includes('$'),
    fed: around.fed || node.redirects.some(feeds),
    background: around.background,
  });
}

/** Wrappers, and which of their options take a word. */
const WRAPPERS: Record<string, RegExp> = {
  sudo: /^-[ughpCRTtrD]$|^--(?:user|group|host|prompt|chdir)$/,
  doas: /^-[uC]$/,
  env: /^-[uCS]$|^--(?:unset|chdir)$/,
  nice: /^-n$/,
  ionice: /^-[cnp]$/,
  timeout: /^-[ks]$|^--(?:kill-after|signal)$/,
  stdbuf: /^-[ioe]$/,
  nohup: /^$/,
  time: /^-[fo]$/,
  command: /^$/,
  builtin: /^$/,
  exec: /^-a$/,
  setsid: /^$/,
};

export function unwrap(words: readonly string[]): readonly string[] {
  let rest = words;
  for (let round = 0; round < 5; round++) {
    const name = rest[0] ?? '';
    const takes = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name]! : null;
    if (takes === null) return rest;
    let at = 1;
    while (at < rest.length && (rest[at]!.startsWith('-') || /^[A-Za-z_]\w*=/.test(rest[at]!))) {
      at += takes.test(rest[at]!) ? 2 : 1;
    }
    if (name === 'timeout') at++;
    if (at >= rest.length) return rest;
    rest = rest.slice(at);
  }
  return rest;
}
