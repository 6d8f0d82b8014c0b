import type { Extract } from '../port.ts';

/**
 * Where in an answer the plan is. In this order, and the first that finds something decides:
 *
 *   tagged     <json>…</json>; of several, the last that holds an object with `plan`, else the last
 *   unclosed   <json> without an end: all that follows
 *   fenced     a ``` block; of several, the last that names `plan`, else the last
 *   bare       from the first { to the last }
 */
export type Found =
  | { ok: true; value: unknown; how: string[] }
  | { ok: false; code: 'empty' | 'no-object' | 'not-json'; reason: string };

/** More than a planner may write: what is longer is not looked into. */
export const MAX_ANSWER = 8 * 1024 * 1024;

export function findEnvelope(text: string, extract: Extract): Found {
  if (text.trim() === '') return { ok: false, code: 'empty', reason: 'The answer is empty.' };
  if (text.length > MAX_ANSWER) {
    return {
      ok: false,
      code: 'not-json',
      reason: `The answer has ${text.length} characters: that is too long.`,
    };
  }
  const place = places(text);
  if (place === null) {
    return { ok: false, code: 'no-object', reason: 'There is no JSON object in the answer.' };
  }
  const found = extract(place.text);
  if (!found.ok) return { ok: false, code: 'not-json', reason: oneReason(found.reason) };
  return { ok: true, value: found.value, how: [...place.how, ...found.how] };
}

const oneReason = (reason: string) => (reason.length > 300 ? `${reason.slice(0, 299)}…` : reason);

interface Place {
  text: string;
  how: string[];
}

function places(text: string): Place | null {
  return tagged(text) ?? fenced(text) ?? bare(text);
}

const OPEN = /<json>/gi;
const CLOSE = /<\/json>/gi;

const positions = (text: string, pattern: RegExp): number[] =>
  [...text.matchAll(pattern)].map(({ index }) => index);

function tagged(text: string): Place | null {
  const opens = positions(text, OPEN);
  if (opens.length === 0) return null;
  const closes = positions(text, CLOSE);
  const whole: string[] = [];
  for (const [nth, open] of opens.entries()) {
    const until = opens[nth + 1] ?? text.length;
    // The last end before the next beginning: a plan may speak of </json> in one of its texts.
    const close = closes.findLast((at) => at > open && at <= until);
    if (close !== undefined) whole.push(text.slice(open + 6, close));
  }
  const chosen = pick(whole);
  if (chosen === null)
    return { text: unfenced(text.slice(opens.at(-1)! + 6)), how: ['the end tag was missing'] };
  const how = whole.length > 1 ? ['the last of several envelopes was taken'] : [];
  return { text: unfenced(chosen), how };
}

const holdsPlan = (text: string) => /["']?plan["']?\s*:/.test(text);

const pick = (candidates: readonly string[]): string | null =>
  candidates.findLast(holdsPlan) ?? candidates.at(-1) ?? null;

/** A fence inside of the tags is no more than a habit. */
const unfenced = (text: string): string => /^\s*```\w*\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text)?.[1] ?? text;

function fenced(text: string): Place | null {
  const blocks = [...text.matchAll(/^[ \t]*```[\w-]*[ \t]*\n([\s\S]*?)^[ \t]*```/gm)].map(
    (match) => match[1]!,
  );
  const chosen = pick(blocks.filter((block) => block.trimStart().startsWith('{')));
  if (chosen === null) return null;
  return { text: chosen, how: ['it stood in a code block instead of <json>'] };
}

function bare(text: string): Place | null {
  const from = text.indexOf('{');
  if (from < 0) return null;
  const to = text.lastIndexOf('}');
  const around = text.slice(0, from).trim() !== '' || (to > from && text.slice(to + 1).trim() !== '');
  const how = around ? 'it stood in the text without tags' : 'it had no tags';
  return { text: to > from ? text.slice(from, to + 1) : text.slice(from), how: [how] };
}
