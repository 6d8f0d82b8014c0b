import type { AgentRequestBody, TaskRequestBody } from '@tasks';
import { capital } from '@told';
import { attempt, say } from './ask.ts';
import { client, queries } from './client.ts';
import { onAnyRow } from './rows.ts';

/** How long whoever asked is told what became of it, and how long at most until it is looked again. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 2000;

/** Asks something of a task, or of its agent run. */
export const askTask = (id: string, request: TaskRequestBody | AgentRequestBody): Promise<boolean> =>
  askStream(id, request, ['task', id], ['tasks']);

/**
 * Asks something of a stream, and waits for the fact that answers it. A refusal is said here, as is what cannot even be asked;
 * false then. Where nobody answers for long, it is left at that: the page shows what is not answered. `stale` is asked for anew.
 */
export async function askStream(
  id: string,
  request: { type: string },
  ...stale: readonly string[][]
): Promise<boolean> {
  const asked = await attempt(() => client.askOfStream(id, { request, key: crypto.randomUUID() }));
  if (asked === null) return false;
  const refusal = await refusalOf(id, asked.seq).catch(() => null);
  for (const queryKey of stale) void queries.invalidateQueries({ queryKey });
  if (refusal === null) return true;
  say(`${capital(refusal)}.`, true);
  return false;
}

/** Why a request was refused; null where it was not, or where nobody has answered it. */
async function refusalOf(id: string, seq: number): Promise<string | null> {
  const until = Date.now() + PATIENCE_MS;
  for (let after = seq; Date.now() < until; ) {
    // It is listened before it is looked: what comes in between is noticed by one or the other.
    const change = nextChange(id);
    try {
      const { events } = await client.getStreamEvents(id, { after });
      const answer = events.find(({ event }) => event['answers'] === seq)?.event;
      if (answer !== undefined) return answer.type === 'request-refused' ? String(answer['message']) : null;
      after = events.at(-1)?.seq ?? after;
      await change.came;
    } finally {
      change.stop();
    }
  }
  return null;
}

/** The next change of this stream, or of nothing for a while. */
function nextChange(id: string): { came: Promise<void>; stop(): void } {
  const { promise: came, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, LOOK_MS);
  const unheard = onAnyRow((row) => row.id === id && resolve());
  const stop = () => {
    unheard();
    clearTimeout(timer);
  };
  return { came, stop };
}
