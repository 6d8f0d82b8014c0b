import type { CallLedger } from '../../core/stream/index.ts';
import type { CallRequest, ModelChain } from './types.ts';

/** Where the text of one call goes while it arrives. Neither throws. */
export interface TextLog {
  write(delta: string): void;
  end(): void;
}

/** The same chain, with the text of each of its calls told to a log of its own as it arrives. */
export function withLiveText(chain: ModelChain, open: (callId: string) => TextLog): ModelChain {
  function watched<R extends CallRequest>(request: R, ledger: CallLedger): [R, CallLedger] {
    // One request is one call after the other: what arrives belongs to the one that began last.
    let log: TextLog | null = null;
    return [
      {
        ...request,
        onText(delta) {
          log?.write(delta);
          request.onText?.(delta);
        },
      },
      {
        ...ledger,
        async reserve(call) {
          const allowed = await ledger.reserve(call);
          if (allowed.ok) log = open(call.callId);
          return allowed;
        },
        async settle(end) {
          log?.end();
          log = null;
          await ledger.settle(end);
        },
      },
    ];
  }
  return {
    callRaw: (request, ledger) => chain.callRaw(...watched(request, ledger)),
    callStructured: (request, ledger) => chain.callStructured(...watched(request, ledger)),
  };
}
