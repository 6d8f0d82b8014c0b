import { fold } from '@contract';
import { expect, test } from 'vitest';
import { Chronicle } from './chronicle.ts';
import { pagesOf } from './event-pages.ts';
import { Tape } from './tape.ts';
import { Told } from './testing.ts';

const told = () => {
  const run = new Told(
    Array.from({ length: 60 }, (_, n) => ({ title: `t${n}` })),
    { mode: 'agentic' },
  );
  for (let n = 1; n < 60; n += 1) run.done(`s${n}`);
  return run.failed('s60').mend('s60', 0, ['make it']).done('c1.0').done('s60', 1);
};

test('a tape is read from its end to its beginning, and then tells the run at any moment', () => {
  const { tape: all } = told();
  const tape = new Tape(all.last - 10);
  for (const event of all.events.slice(-10)) expect(tape.push(event)).toBe(true);
  expect([tape.last, tape.isWhole]).toEqual([all.last, false]);
  tape.unshift(all.events.slice(0, 5));
  expect(tape.events).toHaveLength(10);
  for (let { before } = tape; before > 0; { before } = tape)
    tape.unshift(all.events.slice(Math.max(0, before - 40), before));
  expect(tape.isWhole).toBe(true);
  expect(tape.events).toEqual(all.events);
  for (const seq of [0, 7, 200, all.last]) expect(tape.at(seq)).toEqual(fold(all.events.slice(0, seq)));
});

test('what was made at once is what was told one by one', () => {
  const run = told();
  const made = Chronicle.of(run.tape.events, true);
  const steps = run.state.steps.map(({ id }) => id);
  expect(steps.map((id) => made.attempts(id))).toEqual(steps.map((id) => run.chronicle.attempts(id)));
  const before = made.attempts('s60');
  made.add({ seq: 9999, event: { ...run.tape.events.at(-2)!.event, attemptIndex: 2 } as never });
  expect(made.attempts('s60')).not.toBe(before);
  expect(before).toHaveLength(2);
});

test('of a part of the journal it says what it does not know', () => {
  const run = told();
  const late = Chronicle.of(run.tape.events.slice(-4), false);
  const step = (id: string) => run.state.steps.find((each) => each.id === id)!;
  expect(late.knows(step('s1'))).toBe(false);
  expect(late.knows(step('c1.0'))).toBe(true);
  expect(late.knows(step('s60'))).toBe(false);
  expect(Chronicle.of(run.tape.events, true).knows(step('s60'))).toBe(true);
});

test('rows in sight are read by pages, those that are known are not', () => {
  const rows = [198, 199, 200, 401, 990].map((index) => ({ index }));
  expect(pagesOf(rows, 900)).toEqual([0, 1, 2]);
  expect(pagesOf(rows, 0)).toEqual([]);
});
