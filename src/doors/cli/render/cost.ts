import {
  type CallOutcome,
  dollars,
  type Limits,
  type ModelCall,
  type ModelCallEnd,
  type RunRow,
  type StoredEvent,
} from '../../../core/contract/index.ts';
import { costWords, count } from '../../../core/contract/told/index.ts';
import { visible } from './text/clean.ts';

/** One call of a model, as the journal tells it. */
export interface CallLine {
  call: ModelCall;
  end: ModelCallEnd | null;
  outcome: CallOutcome | 'open' | 'interrupted';
}

/** The calls of a run, in the order in which they were begun. */
export function callsOf(events: readonly StoredEvent[]): CallLine[] {
  const lines = new Map<string, CallLine>();
  for (const { event } of events) {
    if (event.type === 'model-call-started') {
      const { v: _v, at: _at, type: _type, ...call } = event;
      lines.set(call.callId, { call, end: null, outcome: 'open' });
    } else if (event.type === 'model-call-finished') {
      const { v: _v, at: _at, type: _type, ...end } = event;
      const line = lines.get(end.callId);
      if (line !== undefined) lines.set(end.callId, { ...line, end, outcome: end.outcome });
    } else if (event.type === 'driver-claimed') {
      for (const [id, line] of lines)
        if (line.outcome === 'open') lines.set(id, { ...line, outcome: 'interrupted' });
    }
  }
  return [...lines.values()];
}

/** What a run has cost: its calls, their sum, and what of it is only reserved. */
export function renderCost(row: RunRow, calls: readonly CallLine[], limits: Limits | undefined): string[] {
  if (calls.length === 0) return ['No model was asked.'];
  const lines = calls.map(({ call, end, outcome }) =>
    visible(
      `${outcome.padEnd(12)}  ${costWords(end, call).padEnd(22)}  ${call.provider}/${call.model}  ${call.purpose}`,
    ),
  );
  const { costUsd, tokens, spending } = row;
  const open = Object.values(spending.open);
  const reserved = open.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
  const of = limits === undefined ? '' : ` of ${dollars(limits.money)}`;
  const total = `${count(calls.length, 'call')}, ${count(tokens, 'token')}, ${dollars(costUsd)}${of}`;
  return [
    ...lines,
    '',
    total,
    ...(open.length === 0
      ? []
      : [
          `${dollars(reserved)} of it is the worst case of ${count(open.length, 'call')} whose end nobody heard of.`,
        ]),
    ...(spending.unpricedTokens === 0
      ? []
      : [
          `${count(spending.unpricedTokens, 'token')} were of models whose price is not known${limits === undefined ? '' : ` (limit ${limits.tokens})`}.`,
        ]),
  ];
}
