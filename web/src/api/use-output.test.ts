import type { OutputPart, OutputQuery } from '@contract';
import { expect, test } from 'vitest';
import { type Output, readOn } from './use-output.ts';

const bytes = new TextEncoder().encode('one\n');
const part = (more: Partial<OutputPart>): OutputPart => ({
  bytes: new Uint8Array(),
  next: 0,
  size: 0,
  ended: false,
  noted: 0,
  ...more,
});

/** Answers in this order, and notes what was asked. */
async function reading(answers: readonly (OutputPart | Error)[]) {
  const asked: OutputQuery[] = [];
  const told: Output[] = [];
  const read = async (query: OutputQuery) => {
    const answer = answers[asked.push(query) - 1] ?? part({ ended: true });
    if (answer instanceof Error) throw answer;
    return answer;
  };
  await readOn(
    { read, url: '' },
    new AbortController().signal,
    (output) => told.push(output),
    async () => {},
  );
  return { asked, told };
}

test('what is there is told at once, and only then is more waited for', async () => {
  const { asked, told } = await reading([part({}), part({ bytes, next: 4, size: 4, ended: true })]);
  expect(asked.map(({ wait }) => wait)).toEqual([0, 4000]);
  expect(told[0]).toMatchObject({ isRead: true, ended: false });
  expect(told.at(-1)?.lines.all()).toBe('one');
});

test('that the server was away is not said longer than it was', async () => {
  const { asked, told } = await reading([part({}), new Error('away'), part({})]);
  expect(asked.map(({ wait }) => wait)).toEqual([0, 4000, 0, 4000]);
  expect(told.map(({ error }) => error?.message ?? null)).toEqual([null, 'away', null, null]);
});
