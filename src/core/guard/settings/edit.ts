import { type ArrayNode, type JsonNode, memberOf, type ObjectNode, parseJsonc, plainOf } from './jsonc.ts';

export type Edited = { ok: true; text: string } | { ok: false; problem: string };

/** Lists of entries by the name of the event that they are for. */
export type EntriesByEvent = Readonly<Record<string, readonly object[]>>;

const refuse = (problem: string): Edited => ({ ok: false, problem });
const damaged = 'it is damaged, and nothing in it is changed: mend it first';

/** Puts entries at the end of the lists below `hooks`; `rest` where there is no file yet. No other byte changes. */
export function addEntries(text: string, entries: EntriesByEvent, rest: object = {}): Edited {
  if (text.replace(/\uFEFF/g, '').trim() === '')
    return { ok: true, text: `${JSON.stringify({ ...rest, hooks: entries }, null, 2)}\n` };
  let now = text;
  for (const [event, list] of Object.entries(entries)) {
    for (const entry of list) {
      const added = addEntry(now, event, entry);
      if (!added.ok) return added;
      now = added.text;
    }
  }
  return { ok: true, text: now };
}

function addEntry(text: string, event: string, entry: object): Edited {
  const root = parseJsonc(text);
  if (root === null) return refuse(damaged);
  if (root.kind !== 'object') return refuse('it holds no settings by name');
  const hooks = memberOf(root, 'hooks');
  if (hooks === undefined)
    return { ok: true, text: inserted(text, root, `"hooks": ${json({ [event]: [entry] }, text)}`) };
  if (hooks.kind !== 'object') return refuse('its "hooks" are not listed by event');
  const list = memberOf(hooks, event);
  if (list === undefined)
    return { ok: true, text: inserted(text, hooks, `${JSON.stringify(event)}: ${json([entry], text)}`) };
  if (list.kind !== 'array') return refuse(`its "hooks.${event}" is no list`);
  return { ok: true, text: inserted(text, list, json(entry, text)) };
}

const json = (value: object, text: string): string => JSON.stringify(value, null, unitOf(text));

/** What one level is indented by. */
const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';

const lineEnd = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** The blanks that the line begins with on which this stands. */
const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';

function inserted(text: string, into: ObjectNode | ArrayNode, what: string): string {
  const held = into.kind === 'object' ? into.members : into.items;
  const last = held.at(-1);
  const close = into.end - 1;
  const inner = text.slice(into.start + 1, close);
  if (!inner.includes('\n') && last !== undefined) {
    const flat = what.replace(/\s*\n\s*/g, ' ');
    const hasComma = /^\s*,/.test(text.slice(last.end, close));
    const at = hasComma ? last.end + text.slice(last.end, close).indexOf(',') + 1 : last.end;
    return `${text.slice(0, at)}${hasComma ? ' ' : ', '}${flat}${text.slice(at)}`;
  }
  const base = indentAt(text, last === undefined ? into.start : close);
  const indent = last === undefined ? base + unitOf(text) : indentAt(text, last.start);
  const nl = lineEnd(text);
  const body = `${nl}${indent}${what.replaceAll('\n', `${nl}${indent}`)}`;
  if (last === undefined) {
    // Behind a comment that may stand in it.
    const end = into.start + 1 + inner.trimEnd().length;
    const tail = text.slice(end).startsWith('}') || text.slice(end).startsWith(']') ? `${nl}${base}` : '';
    return `${text.slice(0, end)}${body}${tail}${text.slice(end)}`;
  }
  // A comment behind the last one stays with it.
  const behind = text.slice(last.end, close);
  const trimmed = behind.trimEnd();
  const comma = /^\s*,/.test(withoutComments(behind)) ? '' : ',';
  return `${text.slice(0, last.end)}${comma}${trimmed}${body}${text.slice(last.end + trimmed.length)}`;
}

const withoutComments = (text: string): string => text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ' ');

/**
 * Takes the entries out that are ours, and the lists that are empty by that and were not there `before`; nothing else. What a
 * program has written anew since is dealt with as it is.
 */
export function removeEntries(
  text: string,
  isOurs: (entry: unknown) => boolean,
  before: string | null,
): Edited {
  let now = text;
  for (;;) {
    const root = parseJsonc(now);
    if (root === null) return refuse(damaged);
    const found = firstOf(root, isOurs, before);
    if (found === null) return { ok: true, text: now };
    now = without(now, found.from, found.at);
  }
}

type Place = { from: ObjectNode | ArrayNode; at: number };

function firstOf(root: JsonNode, isOurs: (entry: unknown) => boolean, before: string | null): Place | null {
  if (root.kind !== 'object') return null;
  const hooksAt = root.members.findLastIndex(({ key }) => key === 'hooks');
  const hooks = root.members[hooksAt]?.value;
  if (hooks?.kind !== 'object') return null;
  const known = before === null ? null : parseJsonc(before);
  const knownHooks = known?.kind === 'object' ? memberOf(known, 'hooks') : undefined;
  for (const [at, { key, value }] of hooks.members.entries()) {
    if (value.kind !== 'array') continue;
    const ours = value.items.findIndex((item) => isOurs(plainOf(item)));
    if (ours >= 0) return { from: value, at: ours };
    const wasThere = knownHooks?.kind === 'object' && memberOf(knownHooks, key) !== undefined;
    if (value.items.length === 0 && !wasThere) return { from: hooks, at };
  }
  return hooks.members.length === 0 && knownHooks === undefined ? { from: root, at: hooksAt } : null;
}

function without(text: string, from: ObjectNode | ArrayNode, at: number): string {
  const held: readonly { start: number; end: number }[] = from.kind === 'object' ? from.members : from.items;
  const { start, end } = held[at]!;
  const comma = /^\s*,/.exec(text.slice(end, from.end))?.[0].length ?? 0;
  const previous = held[at - 1];
  if (comma === 0 && previous !== undefined) {
    const between = text.slice(previous.end, start);
    // The comma before it goes with it; a comment between them stays.
    return text.slice(0, previous.end) + between.replace(',', '').trimEnd() + text.slice(end);
  }
  const lead = /\s*$/.exec(text.slice(from.start + 1, start))?.[0].length ?? 0;
  return text.slice(0, start - lead) + text.slice(end + comma);
}

export const entriesIn = (text: string): unknown[] => {
  const root = parseJsonc(text);
  const hooks = root?.kind === 'object' ? memberOf(root, 'hooks') : undefined;
  if (hooks?.kind !== 'object') return [];
  return hooks.members.flatMap(({ value }) => (value.kind === 'array' ? value.items.map(plainOf) : []));
};
