import { type Around, commandAt, eachNode, wordsOf } from './commands.ts';
import { parseBash } from './parse.ts';

/** One simple command of a script, as far as it can be known without running it. */
export interface BashCommand extends Around {
  /** The words behind wrappers such as `sudo` and `env`; a word that is not fixed text is as written. */
  readonly words: readonly string[];
  /** All words as written, wrappers too. */
  readonly allWords: readonly string[];
  /** The name is fixed text, so `words[0]` is what runs. */
  readonly literal: boolean;
}

export interface BashScript {
  readonly commands: readonly BashCommand[];
  readonly functions: ReadonlySet<string>;
  /** The first thing the grammar could not read. */
  readonly error: { message: string; pos: number } | null;
}

/** The commands of a bash script, those in substitutions and functions too. Never throws. */
export function bashCommands(text: string): BashScript {
  const parsed = parseBash(text);
  if ('why' in parsed) return { commands: [], functions: new Set(), error: { message: parsed.why, pos: 0 } };
  const commands: BashCommand[] = [];
  const functions = new Set<string>();
  let error: BashScript['error'] = null;
  eachNode(parsed.script, (node, around) => {
    if (node.type === 'Script' && 'errors' in node) error ??= node.errors?.[0] ?? null;
    if (node.type === 'Function') functions.add(node.name.value);
    if (node.type === 'Select')
      commands.push({ words: ['select'], allWords: ['select'], literal: true, ...around });
    if (node.type !== 'Command' || node.name === undefined) return;
    const allWords = wordsOf(node);
    const at = commandAt(allWords);
    const words = at === 0 ? allWords : allWords.slice(at);
    const literal = !/[$`*?]/.test(node.name.text) && !(words[0] ?? '').includes('$');
    commands.push({ words, allWords, literal, ...around });
  });
  return { commands, functions, error };
}
