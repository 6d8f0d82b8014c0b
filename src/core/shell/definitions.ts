import { eachNode, isFixed, wordsOf } from './commands.ts';
import { parseWhole } from './parse.ts';
import { shellWord } from './quote.ts';

/** What steps have defined in their shell and not exported: values of variables, texts of functions as they were written. */
export interface Definitions {
  readonly variables: Readonly<Record<string, string>>;
  readonly functions: Readonly<Record<string, string>>;
}

export const noDefinitions: Definitions = { variables: {}, functions: {} };

/** Names that bash sets by itself, or that the process room keeps from steps or gives them. */
const shellsOwn =
  /^(?:BASH\w*|BASH_.*|COMP_\w+|COPROC|DIRSTACK|ENV|EPOCH\w+|EUID|FUNCNAME|GROUPS|HISTCMD|HOSTNAME|HOSTTYPE|IFS|LINENO|MACHTYPE|MAPFILE|OLDPWD|OPTARG|OPTERR|OPTIND|OSTYPE|PIPESTATUS|POSIXLY_CORRECT|PPID|PROMPT_COMMAND|PS4|RANDOM|READLINE_\w+|REPLY|SECONDS|SHELLOPTS|SHLVL|SRANDOM|TERM|UID|COLUMNS|LINES|SHELL|_|PLANWRIGHT_\w*|__planwright_\w*)$/;
export const isShellsOwn = (name: string): boolean => shellsOwn.test(name);

/** Most texts define nothing, and need not be read for it. */
const MAY_DEFINE = /=|\(\s*\)|\b(?:function|unset|read|for)\b/;
const scriptOf = (text: string) => (MAY_DEFINE.test(text) ? parseWhole(text) : null);

/** The variables that a text may set, by its words; none of a text that cannot be read. Lists are none. */
function variablesSetBy(text: string): string[] {
  const script = scriptOf(text);
  const names = new Set<string>();
  if (script === null) return [];
  eachNode(script, (node) => {
    if (node.type === 'Assignment') names.add(node.name);
    if (node.type === 'For') names.add(node.name.value);
    if (node.type !== 'Command' || node.name?.value !== 'read') return;
    for (const word of wordsOf(node).slice(1)) names.add(word);
  });
  return [...names].filter(
    (name) => /^[A-Za-z_]\w*$/.test(name) && !isShellsOwn(name) && name !== '__proto__',
  );
}

const FUNCTION_NAME = /^[A-Za-z_][\w.:-]*$/;

/** The functions that a text defines wherever it comes to its end, as they stand in it. What it takes back is not among them. */
export function functionsIn(text: string): Record<string, string> {
  const script = scriptOf(text);
  const found: Record<string, string> = {};
  for (const { command, background } of script?.commands ?? []) {
    const name = command.type === 'Function' ? command.name.value : '';
    const isOurs = name === '__proto__' || name.startsWith('__planwright_');
    if (background !== true && FUNCTION_NAME.test(name) && !isOurs)
      found[name] = text.slice(command.pos, command.end);
  }
  for (const name of takenBack(text)) delete found[name];
  return found;
}

/** The functions that a text may take back. */
function takenBack(text: string): string[] {
  const script = scriptOf(text);
  const names: string[] = [];
  if (script !== null)
    eachNode(script, (node) => {
      if (node.type === 'Command' && node.name?.value === 'unset') names.push(...wordsOf(node).slice(1));
    });
  return names;
}

/** Definitions that stand before a text: judged and run with it. */
export interface InView {
  /** Empty where it uses none. */
  readonly text: string;
  readonly variables: readonly string[];
  readonly functions: readonly string[];
}

/** The definitions that a text could use: those that it names, and those that the functions among them name. */
export function definitionsInView({ variables, functions }: Definitions, text: string): InView {
  const seen = new Set<string>();
  const texts = [text];
  for (let next = texts.pop(); next !== undefined; next = texts.pop())
    for (const name of wordsIn(next)) {
      if (seen.has(name) || !(Object.hasOwn(variables, name) || Object.hasOwn(functions, name))) continue;
      seen.add(name);
      if (Object.hasOwn(functions, name)) texts.push(functions[name]!);
    }
  const named = [...seen].sort();
  const view = {
    variables: named.filter((name) => Object.hasOwn(variables, name)),
    functions: named.filter((name) => Object.hasOwn(functions, name)),
  };
  const lines = [
    ...view.variables.map((name) => `${name}=${shellWord(variables[name]!)}`),
    ...view.functions.map((name) => functions[name]!),
  ];
  return { ...view, text: lines.join('\n') };
}

/** All that could be a name, whole and in its parts: `a-b` may be a function, and `b` a variable. */
const wordsIn = (text: string): Set<string> =>
  new Set([...(text.match(/[A-Za-z_][\w.:-]*/g) ?? []), ...(text.match(/[A-Za-z_]\w*/g) ?? [])]);

/**
 * What is defined after a text has run: functions by its words, variables as its shell told them. `reported` has those of
 * the names it was asked for that are set; others of them are gone, and what it did not name is as it was, unless it is
 * exported by now.
 */
export function definedAfter(
  before: Definitions,
  text: string,
  reported: Readonly<Record<string, string>>,
  exported: ReadonlySet<string> = new Set(),
): Definitions {
  const asked = new Set(namesAsked(before, text));
  const gone = new Set(takenBack(text));
  const kept = <T>(record: Readonly<Record<string, T>>, without: ReadonlySet<string>) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !without.has(name)));
  return {
    variables: {
      ...kept(before.variables, asked.union(exported)),
      ...Object.fromEntries(Object.entries(reported).filter(([name]) => asked.has(name))),
    },
    functions: { ...kept(before.functions, gone), ...functionsIn(text) },
  };
}

/** The variables that the shell of a text is asked for at its end: what it may set, and what it was given. */
export const namesAsked = (before: Definitions, text: string): string[] => {
  const view = definitionsInView(before, text);
  const own = [text, ...view.functions.map((name) => before.functions[name]!)].flatMap(variablesSetBy);
  return [...new Set([...own, ...view.variables])];
};

/** What will be defined after a text, as far as its words tell: values that are fixed, and functions. */
export function definedByWords(before: Definitions, text: string): Definitions {
  if (!MAY_DEFINE.test(text)) return before;
  const fixed: Record<string, string> = {};
  for (const { command, background } of scriptOf(text)?.commands ?? []) {
    if (command.type !== 'Command' || command.name !== undefined || background === true) continue;
    for (const part of command.prefix) {
      if (part.type !== 'Assignment') continue;
      const { name, value, append, index } = part;
      const isPlain = value.type === 'Word' && isFixed(value) && append !== true && index === undefined;
      if (isPlain) fixed[name] = value.value;
      else delete fixed[name];
    }
  }
  return definedAfter(before, text, fixed);
}
