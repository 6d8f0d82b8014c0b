import type { SessionUpdate } from '@agentclientprotocol/sdk';

/** Says things to the editor about one session, in order. Nothing throws: an editor that has gone hears nothing. */
export interface Teller {
  tell(update: SessionUpdate): void;
  /** A sentence of Planwright's own, beside what the model says. */
  say(text: string): void;
  think(text: string): void;
  /** Of several with this key the last, where the editor is slower than what it is told. Null: nothing after all. */
  soon(key: string, update: () => SessionUpdate | null): void;
  /** Resolves when all that was said has been handed over. */
  settled(): Promise<void>;
}

export function createTeller(notify: (update: SessionUpdate) => Promise<void>): Teller {
  let last: Promise<void> = Promise.resolve();
  const queued = new Map<string, () => SessionUpdate | null>();
  const next = (work: () => Promise<void> | undefined) => {
    last = last.then(work).catch(() => {});
  };
  const text = (sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk', words: string) =>
    next(() => notify({ sessionUpdate, content: { type: 'text', text: words } }));
  return {
    tell(update) {
      // Whatever was to be shown meanwhile is over with what the card came to.
      if (update.sessionUpdate === 'tool_call_update' && update.content != null)
        queued.delete(update.toolCallId);
      next(() => notify(update));
    },
    say: (words) => text('agent_message_chunk', `${words}\n\n`),
    think: (words) => text('agent_thought_chunk', `${words}\n`),
    soon(key, update) {
      const isQueued = queued.has(key);
      queued.set(key, update);
      if (isQueued) return;
      next(() => {
        const latest = queued.get(key)?.() ?? null;
        queued.delete(key);
        return latest === null ? undefined : notify(latest);
      });
    },
    settled: () => last,
  };
}
