import { type Command, parse, type Word } from 'unbash';
import { runBuiltin } from './builtins.ts';
import { createEdits, quote } from './edits.ts';
import { expandText, expandWord, type Field } from './expand-word.ts';
import { expansionOf, type Interpreter, MAX_DEPTH, type Status } from './interpreter.ts';
import { readRedirects } from './run-redirects.ts';
import { copyState, loseAll, type ShellState } from './shell-state.ts';
import type { Target } from './target.ts';
import { targetsOf } from './targets.ts';
import { noteTouch } from './touch.ts';
import { unwrap } from './unwrap.ts';
import { editParts, visit, visitWord } from './visit.ts';

/** A written word and what it stands for; no fields where that is only known when it runs. */
interface Written {
  word: Word;
  fields: Field[] | null;
}

/** One word that the program receives, and where it was written. */
interface Received {
  from: number;
  field: Field | null;
}

const shells = /^(?:bash|sh|dash|zsh|ksh)$/;

export function runCommand(command: Command, state: ShellState, it: Interpreter): Status {
  if (it.progress.commands <= 0) {
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
  const received: Received[] = written.flatMap(({ fields }, from): Received[] =>
    fields ? fields.map((field) => ({ from, field })) : [{ from, field: null }],
  );
  const words = received.map(({ field }) => field?.value ?? null);
  const { name, args, wrapped, moved } = unwrap(words);
  const replaced = noteTargets(name, args, moved ? null : state.cwd, received, written, it);
  readShellText(name, args, received, replaced, state, it);
  writeEdits(written, received, replaced, state, it);

  const body = wrapped || name === null ? undefined : state.functions.get(name);
  if (body) {
    if (it.depth >= MAX_DEPTH) loseAll(state);
    else return it.runNode(body, state, { ...it, depth: it.depth + 1 });
    return 'unknown';
  }
  if (name === null && !wrapped) loseAll(state);
  return wrapped || name === null ? 'unknown' : runBuiltin(name, words.slice(args), state, it);
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

/** Notes what the command would touch. Answers with the words that lead elsewhere than they seem to. */
function noteTargets(
  name: string | null,
  args: number,
  cwd: string | null,
  received: readonly Received[],
  written: readonly Written[],
  it: Interpreter,
): Map<number, string> {
  const replaced = new Map<number, string>();
  if (name === null) return replaced;
  const operands = received
    .slice(args)
    .map(({ field }) => ({ value: field?.value ?? null, matched: field?.matched ?? false }));
  for (const target of targetsOf(name, operands)) {
    const index = args + target.index;
    const { field, from } = received[index] as Received;
    const path = field?.value.slice(target.skip);
    if (!field || (cwd === null && !path?.startsWith('/'))) {
      it.found.unresolved.add(written[from]?.word.text ?? '');
      continue;
    }
    if (isIdle(target, field, cwd, it)) continue;
    const real = noteTouch(field, target, cwd ?? '/', it.real, it.found);
    if (real !== undefined) replaced.set(index, real);
  }
  return replaced;
}

/** A bare word that a program would only read, and that is not there, is hardly a path (`grep word`). */
function isIdle(target: Target, field: Field, cwd: string | null, it: Interpreter): boolean {
  if (target.writes || target.below || /^[./~]|\//.test(field.value)) return false;
  return it.real.find(`${cwd}/${field.value}`, false).kind === 'missing';
}

/** `bash -c TEXT` and `eval TEXT`: reads the text as a script of its own. */
function readShellText(
  name: string | null,
  args: number,
  received: readonly Received[],
  replaced: Map<number, string>,
  state: ShellState,
  it: Interpreter,
): void {
  const evaluates = name === 'eval';
  if (name === null || !(evaluates || shells.test(name)) || it.depth >= MAX_DEPTH) return;
  const rest = received.slice(args);
  const option = rest.findIndex(({ field }) => /^-\w*c$/.test(field?.value ?? ''));
  const at = evaluates ? (rest.length === 1 ? 0 : -1) : option === -1 ? -1 : option + 1;
  const text = rest[at]?.field?.value;
  if (text === undefined) return;
  const script = parse(text);
  if (script.errors?.length) return;
  const edits = createEdits(text.length);
  const inner = copyState(state);
  if (!evaluates) {
    // A shell of its own inherits what is exported; what the script set and did not export is not known here.
    for (const key of inner.vars.keys()) if (!it.environment.has(key)) inner.vars.set(key, undefined);
    inner.functions.clear();
    Object.assign(inner, { globs: true, splits: true, stopsOnFailure: false, stopsOnUnset: false });
  }
  it.runList(script.commands, inner, { ...it, edits, depth: it.depth + 1 });
  const [variant] = edits.variants(text);
  if (variant && variant.text !== text) replaced.set(args + at, variant.text);
}

/** Puts what words stand for in their place: quoted, so that they stand for nothing else. */
function writeEdits(
  written: readonly Written[],
  received: readonly Received[],
  replaced: ReadonlyMap<number, string>,
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
      const value = quote(replaced.get(at) ?? received[at]?.field?.value ?? '');
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
