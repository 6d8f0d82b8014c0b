import { keptChats } from '../../core/chat/kept.ts';
import {
  type ChatEvent,
  type ChatState,
  evolveChat,
  initialChatState,
  type StoredChatEvent,
} from '../../core/contract/index.ts';
import type { App } from './app.ts';
import { callLog } from './live-text.ts';

/** Whoever is told of a conversation while it goes on. What it is given has its secrets hidden already. */
export interface ChatWatcher {
  /** Whether it wants what the model says as it says it. */
  streams: boolean;
  said(bytes: Uint8Array): void;
  event(stored: StoredChatEvent, state: ChatState): void;
}

export interface ChatFollowing {
  /** As far as it was shown, secrets and all: only what is shown has them hidden. */
  state(): ChatState;
  /** Resolves when everything up to this place has been shown, or nothing more is. */
  caughtUp(seq: number): Promise<void>;
  /** Resolves at the next event, or when the signal aborts. */
  nextEvent(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

/** Shows what happens in a conversation as it happens, and what its model says as it says it. */
export function followChat(app: App, id: string, screen: ChatWatcher, after: number): ChatFollowing {
  const abort = new AbortController();
  let state = initialChatState;
  /** The last event that was shown. The state is ahead of it while the model's last words are. */
  let shownTo = 0;
  let waiting: { seq: number; wake: () => void }[] = [];
  const wakeAll = (seq: number) => {
    shownTo = seq;
    const due = waiting.filter((one) => seq >= one.seq);
    waiting = waiting.filter((one) => seq < one.seq);
    for (const { wake } of due) wake();
  };
  let speaking: Promise<void> = Promise.resolve();
  const speak = async (callId: string) => {
    const log = app.streams.output.follow(id, callLog(callId), 0, abort.signal);
    for await (const { bytes } of log) screen.said(bytes);
  };
  const show = async () => {
    for await (const stored of app.streams.tail(id, 0, abort.signal)) {
      const event = stored.event as unknown as ChatEvent;
      state = evolveChat(state, { seq: stored.seq, event });
      if (stored.seq > after) {
        const isTalk = event.type === 'model-call-started' && event.role === 'chat';
        if (isTalk && screen.streams) speaking = speak(event.callId).catch(() => {});
        if (event.type === 'model-call-finished') await speaking;
        const shown = app.redactorFor(state, keptChats).value({ event, state });
        screen.event({ stream: id, seq: stored.seq, event: shown.event }, shown.state);
      }
      wakeAll(stored.seq);
    }
  };
  const showing = show()
    .catch(() => {})
    .finally(() => wakeAll(Number.POSITIVE_INFINITY));
  return {
    state: () => state,
    caughtUp: (seq) =>
      shownTo >= seq
        ? Promise.resolve()
        : new Promise((wake) => {
            waiting.push({ seq, wake });
          }),
    nextEvent: (signal) => app.streams.changed(id, state.seq, signal),
    async stop() {
      abort.abort();
      await showing;
    },
  };
}
