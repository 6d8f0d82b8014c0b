import { assert, jsonValue, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectLinear } from '../../../../test/support/growth.ts';
import { closeTail } from './close-tail.ts';
import { extractJson } from './extract.ts';

const value = (answer: string) => {
  const extracted = extractJson(answer);
  return extracted.ok ? extracted.value : extracted.reason;
};
const plan = '{"goal": "g {x}", "plan": [{"step": "a", "action": "RUN_COMMAND echo \\"}\\" "}]}';
const parsed = JSON.parse(plan);

describe('JSON is found', () => {
  test.each([
    ['alone', plan],
    ['in tags', `Sure.\n<json>\n${plan}\n</json>\nDone.`],
    ['in a tag that is not closed', `<json>${plan}`],
    ['in the last of two tags', `<json>{"goal": "draft"}</json> Better: <json>${plan}</json>`],
    ['in a fence', `Here:\n\`\`\`json\n${plan}\n\`\`\`\nHope it helps {really}`],
    ['in a fence within tags', `<json>\n\`\`\`json\n${plan}\n\`\`\`\n</json>`],
    ['in a fence that is not closed', `\`\`\`\n${plan}`],
    ['in prose', `I use {item} in [1] and so: ${plan} as you see [2].`],
    [
      'after thoughts',
      `<think>maybe {"goal": "no", "plan": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]}</think>${plan}`,
    ],
    ['after a brace that is never closed', `A stray { here. ${plan}`],
    ['with a mark before it', `\u{feff}${plan}`],
  ])('%s', (_, answer) => {
    expect(value(answer)).toEqual(parsed);
  });

  test('of several, the one that is asked for', () => {
    const answer = '{"a": 1, "long": "longer than the other"} and {"b": 2}';
    const extracted = extractJson(answer, { accepts: (found) => Object.hasOwn(found as object, 'b') });
    expect(extracted).toMatchObject({ ok: true, value: { b: 2 } });
    expect(extractJson(answer, { accepts: () => false })).toMatchObject({
      ok: false,
      reason: 'no JSON in the answer is what was asked for',
    });
  });
});

describe('JSON is mended', () => {
  test.each([
    ['a trailing comma', '{"a": [1, 2,],}', { a: [1, 2] }],
    ['single quotes', "<json>{'a': 'it'}</json>", { a: 'it' }],
    ['comments', '{"a": 1 // one\n}', { a: 1 }],
    ['bare keys and True', '{a: True, b: None}', { a: true, b: null }],
    ['line breaks in strings', '{"a": "one\ntwo"}', { a: 'one\ntwo' }],
    ['a missing brace', '{"a": {"b": 1}', { a: { b: 1 } }],
    ['half a string', '{"a": ["one", "tw', { a: ['one', 'tw'] }],
    ['half a word', '{"a": 1, "b": tru', { a: 1 }],
    ['half a key', '{"a": 1, "b', { a: 1 }],
    ['half an escape', '{"a": "x\\u00', { a: 'x' }],
  ])('%s', (_, answer, expected) => {
    const extracted = extractJson(answer);
    expect(extracted).toMatchObject({ ok: true, value: expected });
    expect(extracted.ok && extracted.how.join()).toMatch(/mended|made up/);
  });

  test('and it is told when an end was made up', () => {
    expect(extractJson('{"a": [1, 2')).toMatchObject({ ok: true, wasCutOff: true });
    expect(extractJson("{'a': 1}")).toMatchObject({ ok: true, wasCutOff: false });
  });

  test('a part of a broken whole is not taken for the whole', () => {
    expect(value('<json>{"plan": [{"step": "one"}, {"step": "two"}, {"st')).toEqual({
      plan: [{ step: 'one' }, { step: 'two' }, {}],
    });
  });
});

describe('what cannot be read is rejected with a reason', () => {
  test.each([
    ['', 'the answer is empty'],
    ['I cannot do that.', 'there is no JSON in the answer'],
    ['{"a": "b".encode()}', 'the JSON is broken: '],
    [`${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'nested deeper than 200'],
    [`<json>${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}</json>`, 'nested deeper than 200'],
  ])('%.20s', (answer, reason) => {
    expect(value(answer)).toContain(reason);
  });
});

test('every JSON text is found in whatever surrounds it, and every beginning of one is closed', () => {
  assert(
    property(jsonValue({ maxDepth: 4 }), string({ maxLength: 30 }), (json, noise) => {
      const text = JSON.stringify({ json });
      const around = noise.replaceAll(/[{}[\]"'`<>]/g, '');
      // -0 has no JSON of its own.
      expect(value(`${around}<json>${text}</json>${around}`)).toEqual(JSON.parse(text));
      for (let end = 1; end < Math.min(text.length, 60); end++) {
        const closed = closeTail(text.slice(0, end));
        expect(closed).not.toBeNull();
        JSON.parse(closed!);
      }
    }),
  );
});

/** Ten times the length may take about ten times as long, and not fifty. */
test.each([
  ['braces', '{'],
  ['brackets and quotes', '["'],
  ['stray braces', 'lorem { ipsum '],
  ['small objects', '{x} '],
  ['fences', '```\n'],
  ['tags', '<json>'],
  ['tags with a brace', '<json>{</json>'],
  ['escapes', '{"a\\"'],
  ['line breaks in strings', '{"a":"b\nc"d,'],
])('5 MB of %s do not hang', async (_, noise) => {
  await expectLinear(5_000_000 / noise.length, (count) => extractJson(noise.repeat(count)));
});
