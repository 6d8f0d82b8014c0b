import { expect, test } from 'vitest';
import { type ContextEntry, createAgentContext } from './context.ts';

const entry = (at: number, outcome: ContextEntry['outcome'] = 'succeeded'): ContextEntry => ({
  title: `step ${at}`,
  action: `RUN_COMMAND echo ${at}`,
  outcome,
  exitCode: outcome === 'failed' ? 1 : 0,
  output: `said ${at}`,
});

test('nothing is dropped: at the limit the oldest five become one summary', async () => {
  const context = createAgentContext();
  for (let at = 1; at <= 23; at++) context.addStep(entry(at, at === 3 ? 'failed' : 'succeeded'));
  expect(context.state.entries.length).toBeLessThan(10);
  const text = await context.toContextString();
  for (let at = 1; at <= 23; at++) expect(text).toContain(`step ${at}`);
  expect(text).toContain('"step 3" failed with exit code 1 (said 3).');
});

test('consecutive failures are counted, and a success ends them', () => {
  const context = createAgentContext();
  context.addStep(entry(1, 'failed'));
  context.addStep(entry(2, 'failed'));
  expect(context.consecutiveFailures).toBe(2);
  context.addStep(entry(3));
  expect(context.consecutiveFailures).toBe(0);
});

test('a model summarises in the background, and only who needs the context waits', async () => {
  let finish: (text: string) => void = () => undefined;
  const asked: number[] = [];
  const summarise = (entries: readonly ContextEntry[]) => {
    asked.push(entries.length);
    return new Promise<string>((resolve) => {
      finish = resolve;
    });
  };
  const context = createAgentContext({ summarise });
  for (let at = 1; at <= 10; at++) context.addStep(entry(at));
  expect(asked).toEqual([5]);
  expect(context.state.summaries[0]).toContain('"step 1" succeeded');
  const text = context.toContextString();
  finish('The first five went well.');
  expect(await text).toContain('Before: The first five went well.');
});

test('a summary that fails leaves the digest', async () => {
  const context = createAgentContext({ summarise: () => Promise.reject(new Error('no key')) });
  for (let at = 1; at <= 10; at++) context.addStep(entry(at));
  expect(await context.toContextString()).toContain('"step 5" succeeded.');
});

test('it is data: stored and restored, it goes on as before', async () => {
  const context = createAgentContext();
  for (let at = 1; at <= 12; at++) context.addStep(entry(at));
  const restored = createAgentContext({ from: JSON.parse(JSON.stringify(context.state)) });
  restored.addStep(entry(13));
  context.addStep(entry(13));
  expect(await restored.toContextString()).toBe(await context.toContextString());
});

test('output that is cut off is said to be', () => {
  const context = createAgentContext();
  context.addStep({ ...entry(1), output: Array.from({ length: 50 }, (_, at) => `line ${at}`).join('\n') });
  expect(context.state.entries[0]?.output).toMatch(/^\[…\]\n/);
  expect(context.state.entries[0]?.output).toContain('line 49');
});
