import type { Action, SimpleAction } from '../../contract/index.ts';
import { formOfKind, type Slot } from './grammar.ts';
import { wholeString } from './scan.ts';

/**
 * The line that `parseAction` reads back as this very action; of a restore, which nobody may write, one that it does
 * not read. Total; never has a line break.
 */
export function printAction(action: Action): string {
  switch (action.kind) {
    case 'for-each':
      return `FOR_EACH ${action.list} DO ${printSimple(action.do)}`;
    case 'repeat':
      return `REPEAT ${action.times} DO ${printSimple(action.do)}`;
    case 'restore':
      return `RESTORE ${action.run}`;
    default:
      return printSimple(action);
  }
}

function printSimple(action: SimpleAction): string {
  const form = formOfKind(action.kind);
  const fields = action as Record<string, unknown>;
  const words = form.slots.map((slot) => printSlot(slot, 'field' in slot ? fields[slot.field] : undefined));
  if (action.kind === 'run-script') words[0] = JSON.stringify(action.script);
  return [form.keyword, ...words].filter((word) => word !== '').join(' ');
}

function printSlot(slot: Slot, value: unknown): string {
  switch (slot.slot) {
    case 'path':
      return printPath(value as string);
    case 'string':
      return JSON.stringify(value);
    case 'rest':
      return printRest(value as string);
    case 'json':
      return printJson(value as object);
    case 'word':
      return slot.word;
    case 'flag':
      return value === true ? slot.word : '';
    default:
      return value as string;
  }
}

export function printPath(path: string): string {
  return /^[^\s"]+$/.test(path) ? path : JSON.stringify(path);
}

function printRest(text: string): string {
  const needsQuotes = /^[ \t]|[\n\r]|^KEEP(?![^ \t])/.test(text) || wholeString(text) !== null;
  return needsQuotes ? JSON.stringify(text) : text;
}

function printJson(args: object): string {
  return Object.keys(args).length === 0 ? '' : JSON.stringify(args);
}
