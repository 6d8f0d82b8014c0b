import {
  callFinished,
  callStarted,
  canSpend,
  type Limits,
  type ModelFactBody,
  type Spending,
} from '../contract/index.ts';
import type { CallLedger } from './ports.ts';

export interface LedgerOptions extends Pick<CallLedger, 'stream' | 'patience'> {
  /** Appends facts durably; false where the claim is lost. */
  record(facts: ModelFactBody[]): Promise<boolean>;
  /** What the run had spent when the effect began. Afterwards the ledger counts for itself. */
  spending: Spending;
  limits: Pick<Limits, 'money' | 'tokens'>;
}

export interface StreamLedger extends CallLedger {
  spending(): Spending;
  /** Why the last call was refused for a limit; null where none was. The run then pauses. */
  limitReached(): string | null;
}

const gone = 'Another process drives this now, so no call is sent.';

/**
 * The ledger of one effect. A call is counted before its fact is durable, so that calls made side by side
 * cannot together pass the limit that each alone keeps.
 */
export function createLedger({ record, spending, limits, stream, patience }: LedgerOptions): StreamLedger {
  let now = spending;
  let isLost = false;
  let limitReached: string | null = null;
  const write = async (fact: ModelFactBody): Promise<boolean> => {
    if (!isLost && !(await record([fact]))) isLost = true;
    return !isLost;
  };
  return {
    ...(stream === undefined ? {} : { stream }),
    ...(patience === undefined ? {} : { patience }),
    spending: () => now,
    limitReached: () => limitReached,
    async reserve(call) {
      if (isLost) return { ok: false, why: 'lost', message: gone };
      const against = canSpend(now, limits, call);
      limitReached = against;
      if (against !== null) return { ok: false, why: 'limit', message: against };
      now = callStarted(now, call);
      if (await write({ type: 'model-call-started', ...call })) return { ok: true };
      return { ok: false, why: 'lost', message: gone };
    },
    async settle(end) {
      now = callFinished(now, end);
      await write({ type: 'model-call-finished', ...end });
    },
    async fellBack(hop) {
      await write({ type: 'model-fell-back', ...hop });
    },
  };
}
