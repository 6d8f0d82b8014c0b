import { expect, test } from 'vitest';
import type { Correction } from '../../core/contract/index.ts';
import { type Brain, emptyContext, type Failure } from './brain.ts';
import { chainBrains } from './chain.ts';
import { createRulesBrain } from './rules/brain.ts';
import type { MendingRule } from './rules/rule.ts';

const failure: Failure = {
  step: { title: 'Build', action: { kind: 'run-command', command: 'make biuld' } },
  result: { exitCode: 2, stdoutTail: '', stderrTail: 'make: *** No rule to make target', why: 'exit-code' },
  earlier: [],
  shell: 'bash',
  goal: 'a build',
};

const answer = (correction: Partial<Correction> = {}): Correction => ({
  action: 'modify',
  reasoning: 'Because.',
  modifiedCommand: 'make build',
  confidence: 0.9,
  source: { brain: 'rule', name: 'x' },
  ...correction,
});
const brain = (correction: Correction | null): Brain => ({ analyzeFailure: async () => correction });
const ask = (...brains: Brain[]) => chainBrains(brains).analyzeFailure(failure, emptyContext);

test('the first confident answer wins, and nobody after it is asked', async () => {
  const never: Brain = { analyzeFailure: () => Promise.reject(new Error('asked')) };
  expect(await ask(brain(null), brain(answer()), never)).toEqual(answer());
});

test('an answer that is a guess gives way to a surer one, and is no answer alone', async () => {
  const guess = answer({ confidence: 0.3, modifiedCommand: 'make x' });
  expect(await ask(brain(guess), brain(answer()))).toEqual(answer());
  expect(await ask(brain(guess))).toBeNull();
});

test('a brain that says again what was tried gives way to the next', async () => {
  const deaf = answer();
  const other = answer({ modifiedCommand: 'make all', source: { brain: 'rule', name: 'y' } });
  const context = { ...emptyContext, isRepeat: (said: Correction) => said.modifiedCommand === 'make build' };
  expect(await chainBrains([brain(deaf), brain(other)]).analyzeFailure(failure, context)).toEqual(other);
  expect(await chainBrains([brain(deaf)]).analyzeFailure(failure, context)).toBeNull();
});

test('a brain that throws or talks nonsense has declined', async () => {
  const broken: Brain = { analyzeFailure: () => Promise.reject(new Error('no')) };
  const nonsense = brain({ action: 'explode' } as unknown as Correction);
  const incomplete = brain(answer({ action: 'insert_steps', newSteps: [] }));
  expect(await ask(broken, nonsense, incomplete)).toBeNull();
});

const rule = (modify: string): MendingRule => ({
  id: 'planted',
  about: '',
  propose: () => ({ modify, reasoning: 'Because.', confidence: 1 }),
});
const ruled = (modify: string, over: Partial<Failure> = {}) =>
  createRulesBrain({ rules: [rule(modify)] }).analyzeFailure({ ...failure, ...over }, emptyContext);

test.each([
  ['hides the failure', 'make biuld || true'],
  ['hides what is said', 'make build 2>/dev/null'],
  ['is blocked', 'make build; rm -rf /'],
  ['changes nothing', ' make biuld'],
  ['cannot be read', 'make "build'],
  ['skips the tests', 'mvn package -DskipTests'],
  ['forces what the tool did not name', 'make build --force'],
])('a rule whose proposal %s is not heard', async (_, text) => {
  expect(await ruled(text)).toBeNull();
});

test('a rule is heard, but not twice with the same', async () => {
  expect((await ruled('make build'))?.modifiedCommand).toBe('make build');
  const earlier = [{ action: 'RUN_COMMAND make build', stderrTail: 'no' }];
  expect(await ruled('make build', { earlier })).toBeNull();
});

test('what was refused is not proposed again', async () => {
  const refused = [{ correction: answer(), reason: 'blocked' }];
  const found = await createRulesBrain({ rules: [rule('make build')] }).analyzeFailure(failure, {
    later: [],
    refused,
  });
  expect(found).toBeNull();
});

test.each(['denied', 'blocked', 'aborted'] as const)(
  'what a person or the gate decided (%s) is not worked around',
  async (why) => {
    expect(await ruled('make build', { result: { ...failure.result, why } })).toBeNull();
  },
);

test('a rule that throws has declined', async () => {
  const thrower: MendingRule = { id: 'thrower', about: '', propose: () => Promise.reject(new Error('x')) };
  expect(await createRulesBrain({ rules: [thrower] }).analyzeFailure(failure, emptyContext)).toBeNull();
});

/** A rule that says this, whatever happened. */
const ruleThat = (id: string, proposal: Awaited<ReturnType<MendingRule['propose']>>): MendingRule =>
  ({ id, propose: async () => proposal }) as unknown as MendingRule;
const missesAfter = async (...brains: Brain[]): Promise<readonly Correction[]> => {
  let told: readonly Correction[] | undefined;
  const last: Brain = {
    async analyzeFailure(_failure, { nearMisses }) {
      told = nearMisses;
      return null;
    },
  };
  await ask(...brains, last);
  return told ?? [];
};

test('what rules were not sure of, and why another is not done, is told to the brains after them', async () => {
  const reasoning = 'Perhaps.';
  const rules = [
    ruleThat('guess', { modify: 'make guild', reasoning, confidence: 0.3 }),
    ruleThat('hide', { modify: 'make biuld || true', reasoning, confidence: 0.95 }),
    ruleThat('wipe', { modify: 'rm -rf /', reasoning, confidence: 0.4 }),
    ruleThat('same', { modify: 'make biuld ', reasoning, confidence: 0.4 }),
  ];
  expect(await missesAfter(createRulesBrain({ rules }))).toMatchObject([
    { source: { name: 'hide' }, reasoning: 'Perhaps. Not done as it is: It hides a failure.' },
    { source: { name: 'guess' }, modifiedCommand: 'make guild', confidence: 0.3 },
  ]);
});

test('near misses are few, the surest first, each once', async () => {
  const guesses = Array.from({ length: 50 }, (_, n) =>
    brain(answer({ modifiedCommand: `make ${n % 25}`, confidence: n / 200 })),
  );
  const told = await missesAfter(...guesses);
  expect(told.map(({ modifiedCommand }) => modifiedCommand)).toEqual(
    [24, 23, 22, 21, 20, 19, 18, 17].map((n) => `make ${n}`),
  );
  expect(told[0]!.confidence).toBeCloseTo(49 / 200);
});
