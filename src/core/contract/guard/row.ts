import { z } from 'zod';
import { StreamRow } from '../stream/row.ts';
import type { Stored } from '../stream/state.ts';
import { type GuardEvent, GuardedAgent } from './facts.ts';

/**
 * A session of another agent under the guard. Nobody is told when it ends: it counts as ended after every call, so that it is
 * kept as long after its last one as a finished run is.
 */
export const GuardRow = StreamRow.extend({
  kind: z.literal('guard'),
  state: z.literal('guarded'),
  agent: GuardedAgent,
  session: z.string(),
  calls: z.int(),
  asked: z.int(),
  denied: z.int(),
  /** The newest checkpoint. */
  checkpoint: z.string().nullable(),
  /** Calls that a checkpoint was taken for, and whose end has not been seen yet: the newest of them. */
  open: z.array(z.string()),
});
export type GuardRow = z.infer<typeof GuardRow>;

export function projectGuard(row: GuardRow | null, { stream, event }: Stored<GuardEvent>): GuardRow | null {
  const { at } = event;
  if (event.type === 'guard-begun')
    return {
      id: stream,
      kind: 'guard',
      state: 'guarded',
      agent: event.agent,
      session: event.session,
      workspace: event.place.workspace,
      createdAt: at,
      updatedAt: at,
      endedAt: at,
      wakeAt: null,
      goesOn: false,
      awaits: null,
      unanswered: [],
      ...{ calls: 0, asked: 0, denied: 0, checkpoint: null, open: [] },
    };
  if (row === null) return null;
  const next = { ...row, updatedAt: at, endedAt: at };
  const newest = 'checkpoint' in event ? (event.checkpoint ?? row.checkpoint) : row.checkpoint;
  const open = opened(row.open, event);
  if (event.type !== 'call-judged') return { ...next, checkpoint: newest, open };
  const { answer } = event;
  return {
    ...next,
    checkpoint: newest,
    open,
    calls: row.calls + 1,
    asked: row.asked + (answer === 'ask' ? 1 : 0),
    denied: row.denied + (answer === 'deny' ? 1 : 0),
  };
}

const OPEN = 50;

function opened(before: string[], event: GuardEvent): string[] {
  if (event.type === 'call-ended') return before.filter((call) => call !== event.call);
  const isOpened = event.type === 'call-judged' && event.checkpoint !== undefined;
  return isOpened ? [...before.filter((call) => call !== event.call), event.call].slice(-OPEN) : before;
}
