import {
  ACTIONS,
  KEY,
  type LoopAction,
  MAX_ITEMS,
  SERVICE_NAME,
  type SimpleAction,
  type Slot,
  type WrittenAction,
} from '../../contract/index.ts';
import { readJson } from '../file/read-json.ts';
import { toValue } from '../file/tree.ts';
import { nearest } from '../nearest.ts';
import {
  type ActionError,
  fail,
  type ReadWord,
  readBare,
  readPath,
  readRest,
  readString,
  skipSpaces,
} from './scan.ts';
import { actionUsages, KEYWORDS } from './usage.ts';

export type ParsedAction = { ok: true; action: WrittenAction } | { ok: false; error: ActionError };

/** Reads one action line. Never throws; an error has a position within the line. */
export function parseAction(line: string): ParsedAction {
  const lineBreak = line.search(/[\n\r]/);
  if (lineBreak >= 0) {
    const mend = 'Write \\n inside a "string", or use `run: |` for several lines.';
    return fail('An action is one line, and this one has a line break.', lineBreak, mend);
  }
  const start = skipSpaces(line, 0);
  const word = readBare(line, start);
  if (word.value === '') return fail('The action is empty.', 0, `Start with one of: ${KEYWORDS.join(', ')}.`);
  const loop = LOOPS.get(word.value);
  return loop === undefined ? done(parseSimple(line, start)) : parseLoop(line, loop, word.at);
}

const LOOPS: ReadonlyMap<string, LoopAction['kind']> = new Map([
  [ACTIONS['for-each'].keyword, 'for-each'],
  [ACTIONS.repeat.keyword, 'repeat'],
]);
const KINDS = new Map(actionUsages.map(({ keyword, kind }) => [keyword, kind]));

function done(read: ReadWord<WrittenAction>): ParsedAction {
  return read.ok ? { ok: true, action: read.value } : read;
}

function parseSimple(line: string, start: number): ReadWord<SimpleAction> {
  const word = readBare(line, start);
  const kind = KINDS.get(word.value);
  if (kind === undefined) return unknownKeyword(line, word.value, start);
  return readSlots(line, word.at, kind as SimpleAction['kind']);
}

function unknownKeyword(line: string, word: string, position: number): ReadWord<SimpleAction> {
  const near = /^[A-Za-z_-]+$/.test(word) ? nearest(word.replaceAll('-', '_'), KEYWORDS) : null;
  const rest = line.slice(position);
  const shown = rest.length > 60 ? `${rest.slice(0, 57)}...` : rest;
  const mend =
    near !== null
      ? `Did you mean \`${near}\`?`
      : `If it is a shell command, write \`RUN_COMMAND ${shown}\`; else start with one of: ${KEYWORDS.join(', ')}.`;
  const name = word.length > 40 ? `${word.slice(0, 37)}...` : word;
  return fail(`\`${name}\` is not an action.`, position, mend);
}

function readSlots(line: string, from: number, kind: SimpleAction['kind']): ReadWord<SimpleAction> {
  const { keyword, usage } = ACTIONS[kind];
  const slots: Readonly<Record<string, Slot>> = ACTIONS[kind].slots;
  const fields: Record<string, unknown> = { kind };
  let at = from;
  for (const [field, slot] of Object.entries(slots)) {
    at = skipSpaces(line, at);
    const read = readSlot(line, at, slot, usage);
    if (!read.ok) return read;
    fields[field] = read.value;
    at = read.at;
  }
  at = skipSpaces(line, at);
  if (at < line.length) {
    const mend = `Write ${usage}; put a path or text that has spaces in double quotes.`;
    return fail(`There is more text than ${keyword} takes.`, at, mend);
  }
  return { ok: true, value: fields as SimpleAction, at };
}

function readSlot(line: string, at: number, slot: Slot, usage: string): ReadWord<unknown> {
  switch (slot.slot) {
    case 'word':
      return readPath(line, at, slot.label, usage);
    case 'rest':
      return readRest(line, at, slot.label, usage);
    case 'json':
      return readArgs(line, at, usage);
    case 'as': {
      const word = readBare(line, at);
      if (word.value !== 'AS') return fail('`AS` is missing here.', at, `Write ${usage}.`);
      const allowed = 'letters, digits and underscores, not starting with a digit';
      return readNamed(line, skipSpaces(line, word.at), 'key', KEY, allowed, usage);
    }
    case 'name':
      return readNamed(line, at, slot.label, SERVICE_NAME, 'letters, digits, - and _', usage);
    case 'string': {
      if (line[at] !== '"') return fail(`The ${slot.label} must be in double quotes.`, at, `Write ${usage}.`);
      const read = readString(line, at);
      if (read.ok && read.value === '' && !slot.empty) {
        return fail(`The ${slot.label} is empty.`, at, `Write ${usage}.`);
      }
      return read;
    }
    case 'flag': {
      const word = readBare(line, at);
      return word.value === slot.word
        ? { ok: true, value: true, at: word.at }
        : { ok: true, value: false, at };
    }
  }
}

function readNamed(
  line: string,
  at: number,
  label: string,
  pattern: RegExp,
  allowed: string,
  usage: string,
): ReadWord<string> {
  const word = readBare(line, at);
  if (word.value === '') return fail(`The ${label} is missing.`, at, `Write ${usage}.`);
  if (!pattern.test(word.value)) return fail(`This is not a ${label}.`, at, `A ${label} has ${allowed}.`);
  return { ok: true, value: word.value, at: word.at };
}

function readArgs(line: string, at: number, usage: string): ReadWord<unknown> {
  const raw = line.slice(at);
  if (raw === '') return { ok: true, value: {}, at };
  const read = readJson(raw);
  if (!read.ok) {
    const [fault] = read.faults;
    const position = at + (fault?.pos ?? 0);
    return fail(
      `The arguments are not valid JSON. ${fault?.message ?? ''}`.trim(),
      position,
      `Write ${usage}.`,
    );
  }
  if (read.tree.kind !== 'map') return fail('The arguments must be a JSON object.', at, `Write ${usage}.`);
  return { ok: true, value: toValue(read.tree), at: line.length };
}

function parseLoop(line: string, kind: LoopAction['kind'], from: number): ParsedAction {
  const { keyword, usage } = ACTIONS[kind];
  let at = skipSpaces(line, from);
  const head = readBare(line, at);
  const headAt = at;
  at = skipSpaces(line, head.at);
  const word = readBare(line, at);
  if (head.value === '' || head.value === 'DO') {
    const what = kind === 'repeat' ? 'how often' : 'the key of a list';
    return fail(`${keyword} does not say ${what}.`, headAt, `Write ${usage}.`);
  }
  if (word.value !== 'DO') return fail('`DO` is missing here.', at, `Write ${usage}.`);
  const bodyAt = skipSpaces(line, word.at);
  const bodyWord = readBare(line, bodyAt).value;
  if (LOOPS.has(bodyWord)) {
    return fail(
      'A loop inside a loop.',
      bodyAt,
      'Loops do not nest: use two steps, or a loop in RUN_SCRIPT.',
    );
  }
  if (bodyWord === '') return fail('The action after `DO` is missing.', bodyAt, `Write ${usage}.`);
  const body = parseSimple(line, bodyAt);
  if (!body.ok) return body;
  return kind === 'repeat' ? repeat(head.value, headAt, body.value) : forEach(head.value, headAt, body.value);
}

function repeat(count: string, position: number, body: SimpleAction): ParsedAction {
  const times = /^\d{1,6}$/.test(count) ? Number(count) : 0;
  if (times < 1 || times > MAX_ITEMS) {
    return fail(`REPEAT takes a number from 1 to ${MAX_ITEMS}.`, position, `Write ${ACTIONS.repeat.usage}.`);
  }
  const action: LoopAction = { kind: 'repeat', times, do: body };
  return { ok: true, action };
}

function forEach(list: string, position: number, body: SimpleAction): ParsedAction {
  if (!KEY.test(list)) {
    const mend = 'Name a list that an earlier LIST_FILES made with AS.';
    return fail('This is not the key of a list.', position, mend);
  }
  return { ok: true, action: { kind: 'for-each', list, do: body } };
}
