const needed = { needed: true, produced: false };
const produced = { needed: false, produced: true };

/**
 * What an action does with a path: whether it has to be there before, and whether it is there afterwards where it was
 * not. Who resolves, confines or looks for paths has one row for each of these.
 */
export const PATH_USES = {
  read: needed,
  write: produced,
  edit: needed,
  make: produced,
  delete: needed,
  list: { needed: false, produced: false },
  'copy-from': needed,
  'copy-to': produced,
  'move-from': needed,
  'move-to': produced,
};
export type PathUse = keyof typeof PATH_USES;

/**
 * How one field of an action is written in its line, and what it is.
 *
 *   word    a word without spaces, or a "string"; `use` where it is a path
 *   string  a "string" with JSON's escapes; `kept` where it becomes the text of a file
 *   rest    all that is left of the line as it stands; or, if that is exactly one "string", its text
 *   name    of a service: letters, digits, - and _
 *   as      AS and a key; what the step makes is known by it afterwards
 *   flag    that very word or nothing
 *   json    a JSON object, or nothing for {}
 */
export type TextSlot =
  | { slot: 'word'; label: string; use: PathUse | null }
  | { slot: 'string'; label: string; empty: boolean; kept: boolean }
  | { slot: 'rest'; label: string; isShell: boolean; quoted: boolean }
  | { slot: 'name'; label: string }
  | { slot: 'as'; makes: 'text' | 'list' };
export type FlagSlot = { slot: 'flag'; word: string };
export type JsonSlot = { slot: 'json' };
export type Slot = TextSlot | FlagSlot | JsonSlot;

type SlotOf<T> = T extends boolean ? FlagSlot : T extends string ? TextSlot : JsonSlot;

/** One slot for every field, in the order of the line. */
export type SlotsOf<A> = { readonly [F in Exclude<keyof A, 'kind'>]: SlotOf<A[F]> };

export interface ActionText {
  /** What kind of thing it does, where that is not running a command. */
  verb: string | null;
  /** What is run, or what it is done to. Offsets of a verdict point into the command of a command. */
  text: string;
  /** Longer content, shown below: what is written into a file, a script's lines. */
  body?: string;
  /** Text that replaces other text. */
  swap?: { old: string; new: string };
}

/** All that is known of a kind of action by its words alone. */
export interface ActionRow<A, Slots> {
  readonly keyword: string;
  /** Null where the line is not made of slots: loops, and what nobody may write. */
  readonly slots: Slots;
  /** One line that can be read back, or nearly: what stands for something else is a plain word. */
  readonly usage: string;
  /** What it does, in a few words, for whoever is to write one. */
  readonly means: string;
  /** A title: short, one line; of a loop, what comes before that of what it repeats. So it is with all three. */
  title(action: A): string;
  /** What it does, in a sentence; of what a shell runs, what comes before the sentence about the command. */
  says(action: A): string;
  /** As a person reads it. The exact action is data; this is never parsed again. */
  shown(action: A): ActionText;
}

export const path = (use: PathUse, label = 'path'): TextSlot => ({ slot: 'word', label, use });
export const word = (label: string): TextSlot => ({ slot: 'word', label, use: null });
export const string = (label: string): TextSlot => ({ slot: 'string', label, empty: false, kept: false });
/** What a file will hold. */
export const kept = (label: string): TextSlot => ({ slot: 'string', label, empty: true, kept: true });
export const rest = (label: string): TextSlot => ({ slot: 'rest', label, isShell: false, quoted: false });
export const shell = (label: string, quoted = false): TextSlot => ({
  slot: 'rest',
  label,
  isShell: true,
  quoted,
});
export const as = (makes: 'text' | 'list'): TextSlot => ({ slot: 'as', makes });

/** The first line that says something, cut to a length that fits a list. */
export function short(text: string): string {
  const lines = text.split(/[\n\r]+/).map((line) => line.trim());
  const telling = lines.find((line) => line !== '' && !line.startsWith('#') && !/^set -\S+$/.test(line));
  const first = telling ?? lines.find((line) => line !== '') ?? '';
  return first.length > 60 ? `${first.slice(0, 59)}…` : first;
}
