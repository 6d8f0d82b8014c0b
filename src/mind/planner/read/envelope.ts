import { extractJson } from '../../../world/models/index.ts';

/**
 * Where in an answer the plan is. The likeliest place that holds an object with `plan` decides; without one, the
 * likeliest place that holds anything:
 *
 *   tags       <json>…</json>, of several the last; an end tag may be missing, an end of the JSON may not
 *   whole      the answer is the object
 *   fences     a ``` block, of several the last
 *   prose      an object in the text, of several the longest
 *
 * What a model thinks aloud in <think>…</think> is not looked at. Syntax is mended where that is unambiguous; a plan whose
 * end was cut off is not taken for a whole one.
 */
export type FoundEnvelope =
  | { ok: true; value: unknown; how: string[] }
  | { ok: false; code: 'not-json' | 'cut-off'; reason: string };

/** More than a planner may write: what is longer is not looked into. */
const MAX_ANSWER = 8 * 1024 * 1024;

/** As it should be: nothing to tell anybody. */
const AS_ASKED = 'from a <json> tag';

export function findEnvelope(text: string): FoundEnvelope {
  if (text.length > MAX_ANSWER) {
    return {
      ok: false,
      code: 'not-json',
      reason: `the answer has ${text.length} characters, which is too long`,
    };
  }
  const first = extractJson(text, { accepts: holdsPlan });
  const found = first.ok ? first : extractJson(text);
  if (!found.ok) return { ok: false, code: 'not-json', reason: found.reason };
  if (found.wasCutOff) return { ok: false, code: 'cut-off', reason: 'the answer was cut off before its end' };
  return { ok: true, value: found.value, how: found.how.filter((each) => each !== AS_ASKED) };
}

const holdsPlan = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, 'plan');
