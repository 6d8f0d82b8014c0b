import {
  handsOn,
  parseWhole,
  programName,
  type Started,
  type StartedText,
  type StartedWords,
  startsOf,
  type Target,
  targetsOf,
  textStarted,
  touchesKnown,
  UNKNOWN,
} from '../../../core/shell/index.ts';
import { createEdits } from './edits.ts';
import type { Field } from './expand-word.ts';
import { type Interpreter, MAX_DEPTH } from './interpreter.ts';
import { copyState, loseVariables, type ShellState } from './shell-state.ts';
import { noteTouch } from './touch.ts';
import { noteSeen, noteUnknown, whys } from './unknown-paths.ts';

/** One word that a program receives. */
export interface Received {
  /** Which of the words that the written command receives; -1 for one that is made of a part of another. */
  readonly at: number;
  readonly field: Field | null;
  /** As written. */
  readonly text: string;
}

/** A command as far as it is known, and what is known of where it runs. */
export interface ResolvedCall {
  readonly words: readonly Received[];
  readonly cwd: string | null;
  /** More words arrive when it runs; what hands them to it. */
  readonly openBy?: string;
  /** Variables that it is given, which the shell itself does not have; null: any. */
  readonly given: readonly string[] | null;
  readonly state: ShellState;
}

/** Words that lead elsewhere than they seem to, or hold text that does: what to judge in their place. */
export type Replaced = Map<number, string>;

const MAX_WRAPPERS = 12;

/**
 * Notes what a command would touch, and whatever it starts: through every wrapper that the shell room knows, into every
 * text that another shell would read. What cannot be looked into is noted as such.
 */
export function readCall(call: ResolvedCall, it: Interpreter, replaced: Replaced, depth = 0): void {
  noteSeen(it, false);
  const words = call.words.map(({ field }) => field?.value ?? UNKNOWN);
  const name = programName(words[0] ?? '');
  if (name.includes(UNKNOWN) || depth > MAX_WRAPPERS) {
    noteUnknown(it, whys.command);
    return;
  }
  const starts = startsOf(words);
  const started = starts?.started ?? [];
  const isKnown = touchesKnown(name);
  if (call.openBy !== undefined) noteUnknown(it, whys.open(call.openBy, name));
  if (!starts || isKnown)
    noteTargets(name, { ...call, words: ownWords(name, call.words, started) }, it, replaced);
  if (starts?.where === 'elsewhere') noteUnknown(it, whys.elsewhere(name));
  else if ((started.length === 0 || starts?.busy) && !isKnown && !call.state.functions.has(name))
    noteUnknown(it, whys.program(name));
  if (!starts || starts.where === 'elsewhere') return;
  const assigned = starts.assigns.map((at) => /^\w+/.exec(words[at] ?? '')?.[0] ?? '');
  const given =
    call.given === null || starts.needs.includes('privilege') ? null : [...call.given, ...assigned];
  const inner: ResolvedCall = { words: [], state: call.state, given, cwd: starts.moved ? null : call.cwd };
  for (const one of started) {
    if (one.as === 'text') {
      readText(one, words, { ...inner, words: call.words }, starts.inShell, it, replaced);
      continue;
    }
    const taken = wordsTaken(one, call.words);
    const program = programName(taken[0]?.field?.value ?? UNKNOWN);
    if (!handsOn(name)) {
      const open = one.open && !one.handed ? { openBy: name } : {};
      readCall({ ...inner, ...open, words: taken }, it, replaced, depth + 1);
    } else if (!touchesKnown(program)) noteUnknown(it, whys.program(program));
  }
}

/** Without the words of what it starts. What a `find` runs says what happens to what it finds, so it keeps them. */
const ownWords = (name: string, words: readonly Received[], started: readonly Started[]) =>
  handsOn(name) ? words : words.filter((_, at) => !started.some(({ from, to }) => at >= from && at < to));

function wordsTaken(
  { from, to, hole, program, handed }: StartedWords,
  words: readonly Received[],
): Received[] {
  const isHole = ({ field }: Received): boolean =>
    hole !== undefined && (field?.value.includes(hole) ?? false);
  const apart = program && words[program.at];
  return [
    ...(apart ? [behind(apart, program.skip)] : []),
    ...words
      .slice(from, to)
      .filter(({ field }) => !handed || field?.value !== hole)
      .map((word) => (isHole(word) ? { ...word, at: -1, field: null } : word)),
    ...(handed ? words.slice(handed.from, handed.to) : []),
  ];
}

const behind = (word: Received, skip: number): Received => ({
  at: -1,
  text: word.text,
  field: word.field && { ...word.field, value: word.field.value.slice(skip) },
});

/** Notes what a program's own words name. */
function noteTargets(name: string, { words, cwd }: ResolvedCall, it: Interpreter, replaced: Replaced): void {
  const operands = words
    .slice(1)
    .map(({ field }) => ({ value: field?.value ?? null, matched: field?.matched ?? false }));
  for (const target of targetsOf(name, operands)) {
    const { field, at, text } = words[target.index + 1] as Received;
    const path = field?.value.slice(target.skip);
    if (!field || (cwd === null && !path?.startsWith('/'))) {
      it.found.unresolved.add(text);
      noteUnknown(it, field ? whys.folder(text) : whys.word(text));
      continue;
    }
    if (target.remote || isIdle(target, field, cwd, it)) continue;
    const real = noteTouch(field, target, cwd ?? '/', it.real, it.found);
    noteSeen(it, true);
    if (real !== undefined && at !== -1) replaced.set(at, real);
  }
}

/** A bare word that a program would only read, and that is not there, is hardly a path (`grep word`). */
function isIdle(target: Target, field: Field, cwd: string | null, it: Interpreter): boolean {
  if (target.writes || target.below || /^[./~]|\//.test(field.value)) return false;
  return it.real.find(`${cwd}/${field.value}`, false).kind === 'missing';
}

/** Reads the text that another shell, or this one, would run as a script of its own. */
function readText(
  started: StartedText,
  words: readonly string[],
  { words: received, given, state, cwd }: ResolvedCall,
  inShell: boolean,
  it: Interpreter,
  replaced: Replaced,
): void {
  const text = textStarted(words, started);
  const script = text.includes(UNKNOWN) || it.depth >= MAX_DEPTH ? null : parseWhole(text);
  if (!script) {
    const texts = received.slice(started.from, started.to).map((one) => one.text);
    noteUnknown(it, whys.word(texts.join(' ')));
    return;
  }
  const inner = { ...copyState(state), cwd };
  if (!inShell) {
    // A shell of its own inherits what is exported; what the script set and did not export is not known here.
    for (const key of inner.vars.keys()) if (!it.environment.has(key)) inner.vars.set(key, undefined);
    inner.functions.clear();
    Object.assign(inner, { globs: true, splits: true, stopsOnFailure: false, stopsOnUnset: false });
    if (given === null) loseVariables(inner);
    for (const key of given ?? []) inner.vars.set(key, undefined);
  }
  const edits = createEdits(text.length);
  it.runList(script.commands, inner, { ...it, edits, depth: it.depth + 1, within: it.at });
  const [variant] = edits.variants(text);
  const place = received[started.from];
  const isWord = started.to === started.from + 1 && started.text === undefined;
  if (variant && variant.text !== text && isWord && place?.field && place.at !== -1)
    replaced.set(place.at, place.field.value.slice(0, started.skip) + variant.text);
}
