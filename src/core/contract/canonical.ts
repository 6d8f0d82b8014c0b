import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Plan } from './plan.ts';

/** JSON with sorted keys and no undefined: equal values give equal texts. */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text && ','}${canonical(item)}`;
    return `[${text}]`;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key of sortedKeys(value)) {
    const field = fields[key];
    if (field !== undefined) text += `${text && ','}${quoted(key)}:${canonical(field)}`;
  }
  return `{${text}}`;
}

/** The few that a subject has are in order sooner than a sort has begun. */
function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  if (keys.length > 16) return keys.sort();
  for (let from = 1; from < keys.length; from += 1) {
    const key = keys[from]!;
    let at = from;
    for (; at > 0 && keys[at - 1]! > key; at -= 1) keys[at] = keys[at - 1]!;
    keys[at] = key;
  }
  return keys;
}

const plainText = /^[\w /.-]*$/;

/** What needs no escapes is most of what there is. */
const quoted = (text: string): string => (plainText.test(text) ? `"${text}"` : JSON.stringify(text));

let hashed = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** SHA-256 in hex. */
export const sha256Hex = (text: string): string => hashed(text);

/** Gives it the platform's own, where there is one: the same answer, ten times as fast. */
export const hashBy = (native: (text: string) => string): void => {
  hashed = native;
};

export const hashPlan = (plan: Plan): string => sha256Hex(canonical(plan));

const fingerprints = new WeakMap<object, string>();
/** Written out again and again, longer ones than this (a loop's) would cost more than their place in the table. */
const rememberedLength = 4096;
/** A subject that is made anew to be compared is mostly equal to the one before it. */
let last = { text: '', print: '' };

/** Binds an approval or a permit to exactly this subject. Subjects do not change. */
export function fingerprint(subject: object): string {
  const known = fingerprints.get(subject);
  if (known !== undefined) return known;
  const text = canonical(subject);
  if (text !== last.text) last = { text, print: sha256Hex(text) };
  if (text.length > rememberedLength) fingerprints.set(subject, last.print);
  return last.print;
}
