import { afterEach, expect, test } from 'vitest';
import { committed, type FactBody, noSpending } from '../../src/core/contract/index.ts';
import { createLedger } from '../../src/core/stream/index.ts';
import { createModelBrain, emptyContext, type Failure } from '../../src/mind/brain/index.ts';
import type { Script, WireServer } from '../wire/index.ts';
import { modelsAt, startProvider, wireProviders } from './support.ts';

let server: WireServer | null = null;
afterEach(() => server?.close());

const failure: Failure = {
  step: { title: 'Install', action: { kind: 'run-command', command: 'npm ci' } },
  result: { exitCode: 1, stdoutTail: '', stderrTail: 'npm error code EUSAGE' },
  earlier: [],
  shell: 'bash',
  goal: 'build it',
};
const answer = {
  action: 'modify',
  reasoning: 'no lock file',
  modifiedCommand: 'npm install',
  confidence: 0.9,
};

async function mend(provider: (typeof wireProviders)[number], script: Script, money = 2) {
  server = await startProvider(provider, script);
  const facts: FactBody[] = [];
  const record = async (more: FactBody[]) => {
    facts.push(...more);
    return true;
  };
  const ledger = createLedger({ record, spending: noSpending, limits: { money, tokens: 50_000 } });
  const prices = { [`${provider}/m`]: { input: 100, output: 100 } };
  const chain = modelsAt(server.url, `${provider}/m`, { prices }).forRole('brain');
  const calls = { ledger, signal: new AbortController().signal };
  const correction = await createModelBrain({ chain }).analyzeFailure(failure, emptyContext, calls);
  return { correction, ledger, types: facts.map(({ type }) => type), requests: server.requests };
}

test.each(wireProviders)(
  '%s mends a step over the wire, and the journal tells what it cost',
  async (provider) => {
    const { correction, ledger, types } = await mend(provider, { text: JSON.stringify(answer) });
    expect(correction).toEqual({
      action: 'modify',
      reasoning: 'no lock file',
      modifiedCommand: 'npm install',
      confidence: 0.9,
      source: { brain: 'model', name: `${provider}/m` },
    });
    expect(types).toEqual(['model-call-started', 'model-call-finished']);
    expect(ledger.spending()).toMatchObject({ calls: 1, tokens: 19, open: {} });
  },
);

test('a model that answers nonsense is told so once, and then nobody is sure', async () => {
  const { correction, types, requests } = await mend('compatible', {
    text: 'Have you tried turning it off and on?',
  });
  expect(correction).toBeNull();
  expect(requests).toHaveLength(2);
  expect(types.at(-1)).toBe('model-fell-back');
});

test('an action line that is none is explained to the model', async () => {
  const wrong = { ...answer, action: 'insert_steps', newSteps: [{ step: 'x', action: 'WRITE_FILE' }] };
  const right = { ...wrong, newSteps: [{ step: 'x', action: 'RUN_COMMAND npm install' }] };
  const { correction, requests } = await mend('compatible', [
    { text: JSON.stringify(wrong) },
    { text: `<json>${JSON.stringify(right)}</json>` },
  ]);
  expect(correction).toMatchObject({ newSteps: [{ action: 'RUN_COMMAND npm install' }] });
  expect(JSON.stringify(requests[1]!.body)).toContain('is no action line');
});

test('a model that would cost too much is not asked, and the ledger says why', async () => {
  const { correction, ledger, types, requests } = await mend(
    'openai-chat',
    { text: JSON.stringify(answer) },
    0.1,
  );
  expect(correction).toBeNull();
  expect(requests).toEqual([]);
  expect(types).toEqual([]);
  expect(ledger.limitReached()).toContain('Raise limits.money');
});

test('an answer that breaks off is paid for as if it had come', async () => {
  const { correction, ledger } = await mend('openai-chat', { truncated: '{"action": "mod' });
  expect(correction).toBeNull();
  const { usd } = committed(ledger.spending());
  expect(usd).toBeGreaterThan(0.4);
  expect(usd).toBeLessThanOrEqual(2);
});
