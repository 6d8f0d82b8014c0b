import { type Command, quoteWord, startsOf, UNKNOWN, type Word } from '../../../core/shell/index.ts';
import { runBuiltin } from './builtins.ts';
import { expandText, expandWord, type Field } from './expand-word.ts';
import { expansionOf, type Interpreter, MAX_DEPTH, type Status } from './interpreter.ts';
import { readRedirects } from './run-redirects.ts';
import { loseAll, type ShellState } from './shell-state.ts';
import { type Received, type Replaced, readCall } from './started.ts';
import { noteUnknown, whys } from './unknown-paths.ts';
import { editParts, visit, visitWord } from './visit.ts';

/** A written word and what it stands for; no fields where that is only known when it runs. */
interface Written {
  word: Word;
  fields: Field[] | null;
}

export function runCommand(command: Command, state: ShellState, outer: Interpreter): Status {
  const it: Interpreter = { ...outer, at: outer.within ?? [command.pos, command.end] };
  if (it.progress.commands <= 0) {
    noteUnknown(it, whys.long);
    loseAll(state);
    return 'unknown';
  }
  it.progress.commands -= 1;
  readRedirects(command.redirects, state, it);
  for (const prefix of command.prefix) if (prefix.type === 'Assignment') visit(prefix, state, it);
  if (!command.name) return assign(command, state, it);

  const how = expansionOf(it, state);
  const written: Written[] = [];
  for (const arg of [command.name, ...command.args]) {
    if (arg.type === 'Word') {
      visitWord(arg, state, it);
      written.push({ word: arg, fields: expandWord(arg, how) });
      continue;
    }
    visit(arg, state, it);
    const value = arg.value.type === 'Word' && !arg.append && !arg.index ? expandText(arg.value, how) : null;
    const word = { type: 'Word', text: arg.text, value: arg.text, pos: arg.pos, end: arg.end } as const;
    const field = { value: `${arg.name}=${value}`, matched: false };
    written.push({ word, fields: value === null ? null : [field] });
  }
  const received = written
    .flatMap(({ word, fields }): Received[] =>
      (fields ?? [null]).map((field) => ({ at: -1, field, text: word.text })),
    )
    .map((one, at) => ({ ...one, at }));
  const replaced: Replaced = new Map();
  const given = command.prefix.flatMap((prefix) => (prefix.type === 'Assignment' ? [prefix.name] : []));
  readCall({ words: received, cwd: state.cwd, given, state }, it, replaced);
  writeEdits(written, received, replaced, state, it);

  const words = inShell(received.map(({ field }) => field?.value ?? null));
  const name = words[0] ?? null;
  const body = name === null ? undefined : state.functions.get(name);
  if (body) {
    if (it.depth < MAX_DEPTH) return it.runNode(body, state, { ...it, depth: it.depth + 1 });
    noteUnknown(it, whys.long);
    loseAll(state);
    return 'unknown';
  }
  if (name === null) loseAll(state);
  return name === null ? 'unknown' : runBuiltin(name, words.slice(1), state, it);
}

/** Without `command` and `builtin`, behind which this shell runs what it would run anyway. */
function inShell(words: readonly (string | null)[]): readonly (string | null)[] {
  let rest = words;
  for (;;) {
    const starts = startsOf(rest.map((word) => word ?? UNKNOWN));
    const [only] = starts?.started ?? [];
    if (!starts?.inShell || only?.as !== 'words') return rest;
    rest = rest.slice(only.from);
  }
}

/** `A=1 B=2` alone: the shell's own variables. */
function assign(command: Command, state: ShellState, it: Interpreter): Status {
  for (const prefix of command.prefix) {
    if (prefix.type !== 'Assignment') continue;
    const plain = prefix.value.type === 'Word' && !prefix.append && !prefix.index;
    const value = plain ? expandText(prefix.value as Word, expansionOf(it, state)) : null;
    if (value === null && prefix.value.type === 'Word') editParts(prefix.value, false, state, it);
    state.vars.set(prefix.name, value ?? undefined);
    if (prefix.name === 'IFS') state.splits = false;
  }
  return 'ok';
}

/** Puts what words stand for in their place: quoted, so that they stand for nothing else. */
function writeEdits(
  written: readonly Written[],
  received: readonly Received[],
  replaced: Replaced,
  state: ShellState,
  it: Interpreter,
): void {
  let index = 0;
  for (const { word, fields } of written) {
    if (!fields) {
      index += 1;
      editParts(word, false, state, it);
      continue;
    }
    const first = index;
    index += fields.length;
    const same = fields.length === 1 && fields[0]?.value === word.value && !replaced.has(first);
    if (same && !word.parts?.some((part) => !/Literal|Quoted/.test(part.type))) continue;
    let chunk = '';
    for (let at = first; at < index; at++) {
      if (at - first >= MAX_EDITED && !replaced.has(at)) continue;
      const value = quoteWord(replaced.get(at) ?? received[at]?.field?.value ?? '');
      if (chunk !== '' && chunk.length + value.length > CHUNK) {
        it.edits.add(word.pos, word.end, chunk);
        chunk = '';
      }
      chunk += (chunk === '' ? '' : ' ') + value;
    }
    it.edits.add(word.pos, word.end, chunk);
  }
}

/** A pattern that matched a lot is judged piece by piece, and not beyond so many names. */
const CHUNK = 2000;
const MAX_EDITED = 5000;
