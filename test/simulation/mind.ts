import { type Correction, type Grants, type ModelCall, shellText } from '../../src/core/contract/index.ts';
import type { Advice, Mind } from '../../src/core/run/index.ts';
import type { CallLedger } from '../../src/core/stream/index.ts';
import type { Random } from './random.ts';

/** What no correction may ever bring into a plan. */
export const FORBIDDEN = 'rm -rf /';

export interface SimulatedMind {
  mind: Mind;
  /** Corrections that were learnt from, as told. */
  learnt: [string, string][];
}

/** A brain that proposes anything: what helps, what is nonsense, the same again, far too much, what is blocked. */
export function randomMind(
  random: Random,
  meanwhile: (signal: AbortSignal) => Promise<void>,
  newId: () => string,
): SimulatedMind {
  const learnt: [string, string][] = [];
  let last: Correction | null = null;
  return {
    learnt,
    mind: {
      async consult({ step }, { signal, ledger }) {
        await meanwhile(signal);
        for (let calls = random.int(4); calls > 0; calls -= 1) {
          const refusal = await callModel(random, ledger, newId(), () => meanwhile(signal));
          if (refusal !== null) return refusal;
        }
        const again = last !== null && random.chance(0.1);
        const correction: Correction | null = again ? last : randomCorrection(random, shellText(step.action));
        last = correction;
        if (correction === null) return { correction };
        const against = random.chance(0.05)
          ? { objection: { code: 'purpose', message: 'it hides a failure' } as const }
          : {};
        return { correction, ...against };
      },
      async summarise(_context, _oldest, { signal, ledger }) {
        // Beside other work: it takes some turns, and no time that the other would have to keep.
        const turns = async () => {
          for (let left = random.int(40); left > 0; left -= 1) await null;
        };
        await turns();
        if (random.chance(0.2)) return null;
        const refusal = await callModel(random, ledger, newId(), turns);
        return refusal === null && !signal.aborted ? 'So far it went as it went.' : null;
      },
      async learn({ id }, outcome) {
        learnt.push([id, outcome]);
      },
    },
  };
}

function randomCorrection(random: Random, now: string | null): Correction | null {
  const roll = random.next();
  if (roll < 0.12) return null;
  const common = {
    reasoning: 'because',
    confidence: 0.9,
    source: { brain: 'rule' as const, name: 'random' },
  };
  if (roll < 0.22) return { action: 'retry', ...common };
  if (roll < 0.42) return { action: 'retry', delayMs: random.int(90_000), ...common };
  if (roll < 0.62) return { action: 'modify', modifiedCommand: other(random, now), ...common };
  if (roll < 0.9) {
    const newSteps = Array.from({ length: 1 + random.int(5) }, (_, n) => ({
      step: `Mend ${n}`,
      action: random.chance(0.03) ? 'WALK_DOG' : `RUN_COMMAND ${command(random)}`,
    }));
    return { action: 'insert_steps', newSteps, ...common };
  }
  return { action: roll < 0.96 ? 'skip' : 'abort', ...common };
}

/** The same with another option, or something else altogether. */
const other = (random: Random, now: string | null): string =>
  now !== null && random.chance(0.6) ? `${now} --again=${random.int(1000)}` : command(random);

const command = (random: Random): string =>
  random.chance(0.05) ? FORBIDDEN : `mend ${random.int(4)} ${random.int(1000)}`;

/** One call of a model, or the answer of a mind that may not make it. */
async function callModel(
  random: Random,
  ledger: CallLedger,
  callId: string,
  answer: () => Promise<void>,
): Promise<Advice | null> {
  const priced = random.chance(0.7);
  const call: ModelCall = {
    callId,
    role: 'brain',
    purpose: 'mend a step',
    provider: 'p',
    model: 'm',
    reserved: { usd: priced ? random.next() : null, tokens: random.int(200_000) },
  };
  const reserved = await ledger.reserve(call);
  if (!reserved.ok) {
    return reserved.why === 'lost'
      ? { correction: null, message: reserved.message }
      : { correction: null, limit: priced ? 'money' : 'tokens', message: reserved.message };
  }
  await answer();
  if (random.chance(0.2)) {
    const from = { provider: 'p', model: 'm' };
    await ledger.fellBack({ role: 'brain', from, to: null, reason: 'error', message: 'it broke' });
  }
  const used = Math.floor(call.reserved.tokens * random.next());
  await ledger.settle({
    callId,
    outcome: random.pick(['ok', 'error', 'timeout']),
    usage: random.chance(0.8) ? { inputTokens: used, outputTokens: 0 } : null,
    usd: call.reserved.usd === null ? null : call.reserved.usd * random.next(),
    durationMs: 1,
  });
  return null;
}

/** What a sandbox may have kept from a step. */
export const randomGrants = (random: Random): Grants =>
  random.pick<Grants>([{ network: true }, { write: ['/outside'] }, { privilege: true }]);
