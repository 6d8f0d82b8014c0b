import {
  type ChatEvent,
  type ChatState,
  type Connection,
  evolveChat,
  fullChat,
  type NumberedAnyEvent,
  type Turn,
} from '@contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { chatNotice } from '../model/chat-notice.ts';
import { heardChatRefusal } from './ask-chat.ts';
import { client } from './client.ts';
import { batchFrames } from './frames.ts';
import { seen, whileSeen } from './seen.ts';
import { noteLock } from './server.ts';
import { asError, untilDone } from './until-done.ts';

export interface ChatFeed {
  id: string;
  /** Null until the conversation is there. Its `past` begins where the page came in. */
  state: ChatState | null;
  title: string;
  error: Error | null;
  connection: Connection | 'connecting';
  /** Numbers of the turns before `past`, oldest first. */
  earlier: readonly number[];
  /** Those of them that were read, because somebody saw where they stand. */
  known: ReadonlyMap<number, Turn>;
  /** What happened to the conversation itself since its last turn. */
  notices: readonly { seq: number; text: string }[];
  /** Reads earlier turns around this number, once. */
  want(n: number): void;
}
export type ChatFeedStore = StoreApi<ChatFeed>;

const BLOCK = 20;

/** Follows one conversation: its end at first, then every event as it is written, and of the past what is looked at. */
export function openChatFeed(id: string): { store: ChatFeedStore; close(): void } {
  const ending = new AbortController();
  const { signal } = ending;
  const asked = new Set<number>();
  const store = createStore<ChatFeed>(() => ({
    id,
    state: null,
    title: '',
    error: null,
    connection: 'connecting',
    earlier: [],
    known: new Map(),
    notices: [],
    want: (n) => void read(n),
  }));

  async function read(n: number): Promise<void> {
    const { earlier } = store.getState();
    const block = Math.floor(earlier.indexOf(n) / BLOCK);
    if (block < 0 || asked.has(block)) return;
    asked.add(block);
    try {
      const from = earlier[block * BLOCK]!;
      const page = await untilDone(() => client.listTurns(id, { from, limit: BLOCK }), signal);
      if (page === null) return;
      store.setState(({ known }) => ({
        known: new Map([...known, ...page.turns.map((turn) => [turn.n, turn] as const)]),
      }));
    } catch (error) {
      asked.delete(block);
      noteLock(error);
    }
  }

  const frames = batchFrames<NumberedAnyEvent>((batch) => {
    let { state, title, earlier, notices } = store.getState();
    if (state === null) return;
    for (const { seq, event: any } of batch) {
      if (seq <= state.seq) continue;
      const event = any as unknown as ChatEvent;
      state = evolveChat(state, { seq, event });
      if (event.type === 'request-refused') heardChatRefusal(id, event.answers, event.message);
      if (event.type === 'turn-begun') {
        notices = [];
        title ||= event.text;
      }
      if (event.type === 'chat-renamed') title = event.title;
      if (event.type === 'turn-undone') earlier = earlier.filter((n) => n < event.turn);
      const text = chatNotice(event, state);
      if (text !== null) notices = [...notices, { seq, text }];
    }
    store.setState({ state, title, earlier, notices });
  });

  async function follow(): Promise<void> {
    const found = await untilDone(
      () => client.lookAtChat(id),
      signal,
      (error) => store.setState({ error }),
    );
    if (found === null || signal.aborted) return;
    const { state, row } = found;
    store.setState({ state: fullChat(state), earlier: state.earlier, title: row.title, error: null });
    let after = found.seq;
    while (!signal.aborted) {
      const away = whileSeen(signal);
      const onConnection = (connection: Connection) => store.setState({ connection });
      for await (const event of client.watchStream(id, { after, signal: away, onConnection })) {
        after = event.seq;
        frames.push(event);
      }
      await seen(signal);
    }
  }

  follow().catch((error: unknown) => {
    noteLock(error);
    if (!signal.aborted) store.setState({ error: asError(error) });
  });
  return {
    store,
    close() {
      ending.abort();
      frames.stop();
    },
  };
}
