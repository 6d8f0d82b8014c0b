import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Plan } from './plan.ts';

/** JSON with sorted keys and no undefined: equal values give equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`).join(',')}}`;
}

export const sha256Hex = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

export const hashPlan = (plan: Plan): string => sha256Hex(canonical(plan));

const fingerprints = new WeakMap<object, string>();

/** Binds an approval or a permit to exactly this subject. Subjects do not change, so each is hashed once. */
export function fingerprint(subject: object): string {
  let print = fingerprints.get(subject);
  if (print === undefined) {
    print = sha256Hex(canonical(subject));
    fingerprints.set(subject, print);
  }
  return print;
}
