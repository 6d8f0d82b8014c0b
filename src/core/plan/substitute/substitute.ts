import {
  type Action,
  fieldsOf,
  isLoop,
  type Shell,
  type SimpleAction,
  type Slot,
} from '../../contract/index.ts';
import { quoteWord } from '../../shell/index.ts';
import { bashPlaces, STAND_IN } from './bash-context.ts';
import { declaresEvaluatedVariables } from './bash-evaluators.ts';
import { refused, type TextPlace } from './context.ts';
import { findPlaceholders, type Placeholder, replaceAt, type Values, valueFor } from './placeholders.ts';
import { pwshPlaces } from './pwsh-context.ts';

/** Why a placeholder cannot be replaced. `position` is an offset into the field of the action. */
export interface Refusal {
  placeholder: string;
  field: string;
  position: number;
  message: string;
  mend: string;
}

export type Substituted<T = Action> = { ok: true; action: T } | { ok: false; refusals: Refusal[] };

export interface SubstituteOptions {
  shell?: Shell;
}

const MAX_PLACEHOLDERS = 200;

/** What a shell reads gets quoted words; names stay as they are; elsewhere a value goes in raw. */
function wayIn(slot: Slot): 'shell' | 'raw' | 'none' {
  switch (slot.slot) {
    case 'rest':
      return slot.isShell ? 'shell' : 'raw';
    case 'word':
      return slot.use === null ? 'none' : 'raw';
    case 'string':
    case 'json':
      return 'raw';
    case 'name':
    case 'as':
    case 'flag':
      return 'none';
  }
}

/**
 * Puts values in the place of placeholders, all at once: a value that looks like a placeholder stays as it is. In
 * commands and scripts each becomes one quoted word, or is refused with the reason; elsewhere it goes in raw. In a
 * loop, the action that is repeated gets the values. Never throws.
 */
export function substitute(action: Action, values: Values, options: SubstituteOptions = {}): Substituted {
  const { shell = 'bash' } = options;
  if (isLoop(action)) {
    const body = substituteSimple(action.do, values, shell);
    return body.ok ? { ok: true, action: { ...action, do: body.action } } : body;
  }
  if (action.kind === 'restore') return { ok: true, action };
  return substituteSimple(action, values, shell);
}

/** Puts values into text that no shell reads, such as `expects`. Where a value does not fit, its place is kept. */
export function substituteText(text: string, values: Values): string {
  return replaceAt(text, known(text, values), (placeholder) => {
    const value = valueFor(placeholder, values);
    return 'text' in value ? value.text : text.slice(placeholder.start, placeholder.end);
  });
}

function substituteSimple(action: SimpleAction, values: Values, shell: Shell): Substituted<SimpleAction> {
  const refusals: Refusal[] = [];
  const filled: Record<string, unknown> = { ...action };
  for (const { field, slot, value } of fieldsOf(action)) {
    const way = wayIn(slot);
    if (way === 'shell') filled[field] = inShell(field, value as string, values, shell, refusals);
    else if (way === 'raw') filled[field] = inData(field, value, values, refusals);
  }
  if (refusals.length > 0) return { ok: false, refusals };
  return { ok: true, action: filled as SimpleAction };
}

const known = (text: string, values: Values) =>
  findPlaceholders(text).filter((placeholder) => Object.hasOwn(values, placeholder.name));

function inData(field: string, value: unknown, values: Values, refusals: Refusal[]): unknown {
  if (typeof value === 'string') {
    return replaceAt(value, known(value, values), (placeholder) => {
      const found = valueFor(placeholder, values);
      if ('text' in found) return found.text;
      refusals.push(refusalOf(field, value, placeholder, found.refused, 'Use another value.'));
      return '';
    });
  }
  if (Array.isArray(value)) return value.map((each) => inData(field, each, values, refusals));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, inData(field, each, values, refusals)]),
    );
  }
  return value;
}

function inShell(field: string, text: string, values: Values, shell: Shell, refusals: Refusal[]): string {
  const placeholders = known(text, values);
  if (placeholders.length === 0) return text;
  const places = placesOf(text, placeholders, shell);
  const kept = placeholders.filter((_, index) => places[index]!.kind !== 'comment');
  placeholders.forEach((placeholder, index) => {
    const place = places[index]!;
    if (place.kind === 'refused') refusals.push(refusalOf(field, text, placeholder, place.why, place.mend));
  });
  return replaceAt(text, kept, (placeholder) => {
    const found = valueFor(placeholder, values);
    if ('text' in found) return quoteWord(found.text, shell);
    refusals.push(refusalOf(field, text, placeholder, found.refused, 'Use another value.'));
    return '';
  });
}

/** What the shell would make of each placeholder, once a quoted word stands there. Needs no values. */
export function placesOf(text: string, placeholders: readonly Placeholder[], shell: Shell): TextPlace[] {
  if (shell === 'pwsh')
    return pwshPlaces(
      text,
      placeholders.map((placeholder) => placeholder.start),
    );
  if (placeholders.length > MAX_PLACEHOLDERS) {
    const mend = 'Keep the value in a variable first.';
    return placeholders.map(() =>
      refused(`one command has more than ${MAX_PLACEHOLDERS} placeholders`, mend),
    );
  }
  if (declaresEvaluatedVariables(text)) {
    const why = 'the script has integer or reference variables, and bash reads what is put in them as code';
    return placeholders.map(() => refused(why, 'Declare the variables without -i and -n.'));
  }
  let shift = 0;
  const offsets = placeholders.map((placeholder) => {
    const offset = placeholder.start + shift;
    shift += STAND_IN.length - (placeholder.end - placeholder.start);
    return offset;
  });
  return bashPlaces(
    replaceAt(text, placeholders, () => STAND_IN),
    offsets,
  );
}

function refusalOf(
  field: string,
  text: string,
  placeholder: Placeholder,
  why: string,
  mend: string,
): Refusal {
  const name = text.slice(placeholder.start, placeholder.end);
  return {
    placeholder: placeholder.name,
    field,
    position: placeholder.start,
    message: `\`${name}\` cannot be put here: ${why}.`,
    mend,
  };
}
