import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  double,
  integer,
  option,
  record,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  committed,
  type FactBody,
  fold,
  type ModelCall,
  noSpending,
  project,
  type RunEvent,
  type RunRow,
  type Spending,
  type StoredEvent,
} from '../contract/index.ts';
import { createLedger } from './ledger.ts';

const limits = { money: 2, tokens: 500_000 };

const call = (callId: string, reserved: ModelCall['reserved']): ModelCall => ({
  callId,
  role: 'brain',
  purpose: 'mend step s1',
  provider: 'openai',
  model: 'm',
  reserved,
});

/** A journal that keeps what it is given, until it is told to refuse. */
function journal() {
  const facts: FactBody[] = [];
  const claim = { held: true };
  return {
    facts,
    claim,
    record: async (more: FactBody[]) => {
      if (claim.held) facts.push(...more);
      return claim.held;
    },
  };
}

const events = (facts: FactBody[]): StoredEvent[] =>
  facts.map((fact, index) => ({
    stream: 'r',
    seq: index + 1,
    event: { v: 1, at: index, ...fact } as RunEvent,
  }));
const spendingOf = (facts: FactBody[]): Spending => fold(events(facts)).spending;

describe('the ledger', () => {
  test('writes a call down before it may be sent, and what came of it after', async () => {
    const { facts, record } = journal();
    const ledger = createLedger({ record, spending: noSpending, limits });
    expect(await ledger.reserve(call('a', { usd: 0.5, tokens: 100 }))).toEqual({ ok: true });
    expect(facts.map(({ type }) => type)).toEqual(['model-call-started']);
    expect(committed(ledger.spending())).toEqual({ usd: 0.5, tokens: 100, unpricedTokens: 0 });
    const usage = { inputTokens: 10, outputTokens: 5 };
    await ledger.settle({ callId: 'a', outcome: 'ok', usage, usd: 0.01, durationMs: 3 });
    expect(ledger.spending()).toEqual({ usd: 0.01, tokens: 15, unpricedTokens: 0, calls: 1, open: {} });
    expect(spendingOf(facts)).toEqual(ledger.spending());
  });

  test('refuses the call that could pass the limit, and says what to do', async () => {
    const { facts, record } = journal();
    const ledger = createLedger({ record, spending: { ...noSpending, usd: 1.8 }, limits });
    expect(await ledger.reserve(call('a', { usd: 0.21, tokens: 1 }))).toEqual({
      ok: false,
      why: 'limit',
      message:
        'A call of openai/m may cost $0.21, and $1.80 of $2.00 are spent or reserved. Raise limits.money and resume.',
    });
    expect(facts).toEqual([]);
    expect((await ledger.reserve(call('b', { usd: 0.19, tokens: 1 }))).ok).toBe(true);
  });

  test('counts tokens where no price is known, and not against the money', async () => {
    const { record } = journal();
    const ledger = createLedger({ record, spending: { ...noSpending, usd: 2 }, limits });
    expect((await ledger.reserve(call('a', { usd: null, tokens: 300_000 }))).ok).toBe(true);
    const second = await ledger.reserve(call('b', { usd: null, tokens: 300_000 }));
    expect(second).toMatchObject({ ok: false, why: 'limit' });
    expect(second).toHaveProperty('message', expect.stringContaining('limits.tokens'));
  });

  test('sends nothing once the claim is lost', async () => {
    const { claim, facts, record } = journal();
    const ledger = createLedger({ record, spending: noSpending, limits });
    claim.held = false;
    expect(await ledger.reserve(call('a', { usd: 0, tokens: 1 }))).toMatchObject({ ok: false, why: 'lost' });
    claim.held = true;
    expect(await ledger.reserve(call('b', { usd: 0, tokens: 1 }))).toMatchObject({ ok: false, why: 'lost' });
    expect(facts).toEqual([]);
  });
});

describe('an interrupted call', () => {
  const started: FactBody = { type: 'model-call-started', ...call('a', { usd: 1.5, tokens: 9 }) };
  const taken: FactBody = { type: 'driver-claimed', epoch: 2, driver: { pid: 1, host: 'h', boot: 'b' } };

  test('keeps its worst case reserved for ever', async () => {
    const spending = spendingOf([started, taken]);
    expect(spending.open['a']).toEqual({ usd: 1.5, tokens: 9, interrupted: true });
    const ledger = createLedger({ record: journal().record, spending, limits });
    expect(await ledger.reserve(call('b', { usd: 0.6, tokens: 1 }))).toMatchObject({ why: 'limit' });
  });

  test('and one that ended without being counted costs its worst case', () => {
    const end = { callId: 'a', outcome: 'timeout', usage: null, usd: null, durationMs: 1 } as const;
    const { usd, tokens, open } = spendingOf([started, { type: 'model-call-finished', ...end }]);
    expect({ usd, tokens, open }).toEqual({ usd: 1.5, tokens: 9, open: {} });
  });

  test('but a replayed one costs nothing', () => {
    const end = { callId: 'a', outcome: 'ok', usage: { inputTokens: 5, outputTokens: 5 }, usd: 1 } as const;
    const facts: FactBody[] = [
      started,
      { type: 'model-call-finished', ...end, durationMs: 0, replayed: true },
    ];
    expect(spendingOf(facts)).toMatchObject({ usd: 0, tokens: 0, calls: 1, open: {} });
  });

  test('is in the listing', () => {
    const plan = { goal: 'g', shell: 'bash', revision: 0, steps: [] } as const;
    const created = {
      type: 'plan-created',
      plan,
      hash: '',
      place: { host: 'h', boot: 'b', workspace: '/' },
      options: {},
    } as unknown as FactBody;
    const row = events([created, started, taken]).reduce(project, null as RunRow | null);
    expect(row).toMatchObject({ costUsd: 1.5, tokens: 9 });
  });
});

/** One call as chance has it: what it reserves, which part of that it takes in truth, and how it ends. */
const chance = record({
  usd: option(double({ min: 0, max: 1, noNaN: true }), { freq: 4 }),
  tokens: integer({ min: 0, max: 200_000 }),
  part: double({ min: 0, max: 1, noNaN: true }),
  end: constantFrom('settled', 'uncounted', 'open', 'crash'),
  alongside: boolean(),
});

test('1,000 random sequences of calls never pass a limit, whatever interrupts them', async () => {
  await assert(
    asyncProperty(array(chance, { maxLength: 30 }), async (chances) => {
      const { facts, record } = journal();
      let ledger = createLedger({ record, spending: noSpending, limits });
      let truth = { usd: 0, tokens: 0 };
      const pending: Promise<unknown>[] = [];
      for (const [index, { usd, tokens, part, end, alongside }] of chances.entries()) {
        const callId = `c${index}`;
        const one = ledger.reserve(call(callId, { usd, tokens })).then(async (reserved) => {
          if (!reserved.ok) return;
          const used = Math.floor(tokens * part);
          truth =
            usd === null
              ? { ...truth, tokens: truth.tokens + used }
              : { ...truth, usd: truth.usd + usd * part };
          const usage = end === 'settled' ? { inputTokens: used, outputTokens: 0 } : null;
          if (end === 'settled' || end === 'uncounted') {
            const cost = usage === null || usd === null ? null : usd * part;
            await ledger.settle({ callId, outcome: 'ok', usage, usd: cost, durationMs: 0 });
          }
        });
        pending.push(one);
        if (!alongside) await one;
        if (end === 'crash') {
          await Promise.all(pending);
          facts.push({ type: 'driver-claimed', epoch: index + 2, driver: { pid: 1, host: 'h', boot: 'b' } });
          ledger = createLedger({ record, spending: spendingOf(facts), limits });
        }
      }
      await Promise.all(pending);
      const counted = committed(spendingOf(facts));
      expect(counted.usd).toBeLessThanOrEqual(limits.money + 1e-9);
      expect(counted.unpricedTokens).toBeLessThanOrEqual(limits.tokens);
      expect(truth.usd).toBeLessThanOrEqual(counted.usd + 1e-9);
      expect(truth.tokens).toBeLessThanOrEqual(counted.unpricedTokens);
    }),
    { numRuns: 1000 },
  );
});
