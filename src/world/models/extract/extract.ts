import { jsonrepair } from 'jsonrepair';
import { type Candidate, findCandidates } from './candidates.ts';
import { closeTail } from './close-tail.ts';

export type Extracted =
  | {
      ok: true;
      value: unknown;
      /** Where it was found and what was mended, in words. */
      how: string[];
      /** Its end was missing and has been made up. */
      wasCutOff: boolean;
    }
  | { ok: false; reason: string };

export interface ExtractOptions {
  /** Of several candidates, the first that this takes is chosen. Objects and lists, where it is left out. */
  accepts?: (value: unknown) => boolean;
}

/** Deeper than any plan; what is validated after this recurses. */
export const deepest = 200;
/** On some noise jsonrepair takes time with the square of the length. These squares together are half a second. */
const longestRepair = 50_000;

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * The JSON in a model's answer, wherever it stands: in tags, fences or prose, whole or cut off, and mended where its
 * syntax is broken. What is whole is preferred to what has to be mended. Never throws; takes time linear in the
 * length of the answer.
 */
export function extractJson(answer: string, { accepts = isContainer }: ExtractOptions = {}): Extracted {
  const candidates = findCandidates(answer);
  const shallow = candidates.filter(({ text }) => depthOf(text) <= deepest);
  const outer = shallow.filter(({ isInner }) => !isInner);
  const inner = shallow.filter(({ isInner }) => isInner);
  const ways = [
    () => first(outer, whole),
    () => first(outer, withItsEnd),
    () => first(inner, whole),
    () => first(shallow, createMender()),
  ];
  const first = (among: readonly Candidate[], read: Read): Extracted | null => {
    for (const candidate of among) {
      const made = read(candidate.text);
      if (made === null || !accepts(made.value)) continue;
      const mended = made.mended === undefined ? [] : [made.mended];
      return {
        ok: true,
        value: made.value,
        how: [`from ${candidate.from}`, ...mended],
        wasCutOff: made.wasCutOff,
      };
    }
    return null;
  };
  for (const way of ways) {
    const found = way();
    if (found !== null) return found;
  }
  return { ok: false, reason: reasonFor(answer, candidates, shallow) };
}

type Read = (text: string) => { value: unknown; mended?: string; wasCutOff: boolean } | null;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const whole: Read = (text) => {
  const value = parse(text);
  return value === undefined ? null : { value, wasCutOff: false };
};

const withItsEnd: Read = (text) => {
  const closed = closeTail(text);
  const value = closed === null ? undefined : parse(closed);
  return value === undefined ? null : { value, mended: 'its missing end was made up', wasCutOff: true };
};

/** Mends syntax until the work that it may take is used up. */
function createMender(): Read {
  let left = longestRepair ** 2;
  return (text) => {
    left -= text.length ** 2;
    if (left < 0) return null;
    try {
      const value: unknown = JSON.parse(jsonrepair(text));
      return { value, mended: `its syntax was mended: ${problemOf(text)}`, wasCutOff: !/[}\]]$/.test(text) };
    } catch {
      return null;
    }
  };
}

function problemOf(text: string): string {
  try {
    JSON.parse(text);
    return 'nothing';
  } catch (error) {
    return (error as Error).message.replace(/\s+/g, ' ').slice(0, 120);
  }
}

function reasonFor(answer: string, candidates: readonly Candidate[], shallow: readonly Candidate[]): string {
  if (answer.trim() === '') return 'the answer is empty';
  if (candidates.length === 0) return 'there is no JSON in the answer';
  if (shallow.length === 0) return `the JSON is nested deeper than ${deepest}`;
  const { text } = shallow[0]!;
  if (shallow.some((candidate) => parse(candidate.text) !== undefined))
    return 'no JSON in the answer is what was asked for';
  const isLong = text.length > longestRepair;
  return `the JSON is broken${isLong ? ' and too long to mend' : ''}: ${problemOf(text)}`;
}

/** How deep braces are nested, strings left out. Stops counting at twice the limit. */
function depthOf(text: string): number {
  let depth = 0;
  let max = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === 92) at += 1;
      else if (char === 34) inString = false;
    } else if (char === 34) inString = true;
    else if (char === 123 || char === 91) {
      depth += 1;
      if (depth > max) max = depth;
      if (max > deepest * 2) return max;
    } else if ((char === 125 || char === 93) && depth > 0) depth -= 1;
  }
  return max;
}
