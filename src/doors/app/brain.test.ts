import { expect, test } from 'vitest';
import { printModelName, type RunState } from '../../core/contract/index.ts';
import { docsPlan, tellStory } from '../../core/contract/told/testing.ts';
import type { ModelChain, Models } from '../../world/models/index.ts';
import { createModelMind } from './brain.ts';

const failing = { exitCode: 2, why: 'exit-code', message: 'exited with code 2', stderrTail: 'no' } as const;

test('the model that a person chose is asked first, in the run as it is when the brain is asked', async () => {
  const story = tellStory(docsPlan(), { mode: 'agentic' }).agree().start(1).fail(1, 5, failing);
  const asked: string[] = [];
  const deaf = (name: string): ModelChain => {
    const refuse = async () => {
      asked.push(name);
      return { ok: false, why: 'refused', message: 'no', attempts: [] } as never;
    };
    return { callRaw: refuse, callStructured: refuse };
  };
  const models = {
    forRole: () => deaf('the chain'),
    only: (_role, name) => deaf(printModelName(name)),
  } as Pick<Models, 'forRole' | 'only'> as Models;
  const filterFor = () => ({ text: (text: string) => text }) as never;
  const mind = createModelMind(story.state, { env: {}, filterFor, models: async () => models });
  const consult = (state: RunState) => {
    const step = state.plan!.steps[0]!;
    const { result } = state.steps.at(0)!;
    const calls = { signal: new AbortController().signal, ledger: {} as never };
    return mind.consult({ run: 'r', state, step, result: result!, attemptIndex: 0 }, calls);
  };
  expect((await consult(story.state)).correction).toBeNull();
  expect(asked.splice(0)).toEqual(['the chain']);
  const brain = { provider: 'openai', model: 'small' };
  await consult({ ...story.state, options: { ...story.state.options!, brain } });
  expect(asked).toEqual(['openai/small', 'the chain']);
});
