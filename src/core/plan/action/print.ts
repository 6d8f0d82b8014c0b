import { type Action, fieldsOf, rowOf, type Slot } from '../../contract/index.ts';
import { wholeString } from './scan.ts';

/**
 * The line that `parseAction` reads back as this very action; of a restore, which nobody may write, one that it does
 * not read. Total; never has a line break.
 */
export function printAction(action: Action): string {
  const { keyword } = rowOf(action);
  if (action.kind === 'for-each') return `${keyword} ${action.list} DO ${printAction(action.do)}`;
  if (action.kind === 'repeat') return `${keyword} ${action.times} DO ${printAction(action.do)}`;
  if (action.kind === 'restore') return `${keyword} ${action.run}`;
  const words = fieldsOf(action).map(({ slot, value }) => printSlot(slot, value));
  return [keyword, ...words].filter((word) => word !== '').join(' ');
}

function printSlot(slot: Slot, value: unknown): string {
  switch (slot.slot) {
    case 'word':
      return printPath(value as string);
    case 'string':
      return JSON.stringify(value);
    case 'rest':
      return slot.quoted ? JSON.stringify(value) : printRest(value as string);
    case 'json':
      return printJson(value as object);
    case 'flag':
      return value === true ? slot.word : '';
    case 'as':
      return `AS ${value}`;
    case 'name':
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
