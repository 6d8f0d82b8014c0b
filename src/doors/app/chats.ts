import {
  type ChatEvent,
  type ChatRequestBody,
  type ChatRow,
  type ChatState,
  type Config,
  type Picture,
  pictureProblem,
  picturesOf,
  type RunEvent,
  turnsOf,
} from '../../core/contract/index.ts';
import type { ListingQuery, Store } from '../../core/stream/index.ts';
import type { Models } from '../../world/models/index.ts';
import { systemClock } from '../../world/store/index.ts';
import type { ChatChoices } from './chat-options.ts';
import type { GivenHere } from './environment.ts';
import { AppError } from './errors.ts';
import { newKey, newRunId, runIdFor } from './ids.ts';
import type { AppStreams, Asking, Rested } from './streams.ts';

export interface NewChat {
  /** A real path. */
  workspace: string;
  choices: ChatChoices;
  /** The run that it is about. */
  about?: string | undefined;
  /** The same key twice makes one conversation. */
  key?: string | undefined;
}

/** What people do with conversations. */
export interface Chats {
  begin(chat: NewChat): Promise<string>;
  /** A key, and the id of the conversation that `begin` makes of it: there is none until then. */
  reserve(): { id: string; key: string };
  request(id: string, body: ChatRequestBody, asking: Asking): Promise<number>;
  state(id: string): Promise<ChatState>;
  list(query?: Omit<ListingQuery, 'kind'>): Promise<ChatRow[]>;
  /** Those that wait for a person, of all folders. */
  waiting(limit: number): Promise<ChatRow[]>;
  /** By an id or its beginning; the newest of the folder where none is named. Throws an AppError where there is none. */
  find(named: string | undefined, workspace: string): Promise<ChatRow>;
  /** Keeps a picture for a message. Throws an AppError where it is none, or too large. */
  keepPicture(id: string, name: string, bytes: Uint8Array): Promise<Picture>;
  /** A picture that was sent or shown in it; null where there is none. */
  picture(id: string, hash: string): Promise<{ type: string; bytes: Uint8Array } | null>;
  /** Drives it until it rests: for a person, or for a plan of its own, which is a run. */
  drive(id: string, options?: { signal?: AbortSignal }): Promise<Rested<ChatState>>;
  /**
   * Drives it and the plans that it waits for, until it waits for a person or nobody. `run` is the plan that waits, where
   * one does.
   */
  driveAll(id: string, options?: { signal?: AbortSignal }): Promise<{ state: ChatState; run: string | null }>;
}

interface ChatsOptions {
  store: Store<RunEvent>;
  streams: AppStreams<RunEvent>;
  givenHere: GivenHere;
  begunHere: Set<string>;
  config: Config;
  models(): Promise<Models>;
}

const chatIdFor = (key: string): string => runIdFor(`chat:${key}`);

export function createChats({ store, streams, givenHere, begunHere, config, models }: ChatsOptions): Chats {
  const state = async (id: string) => {
    if ((await store.kindOf(id)) === 'chat') return (await streams.state(id)) as ChatState;
    throw new AppError('no-such-stream', `there is no conversation ${JSON.stringify(id)}`);
  };
  const chats: Chats = {
    async begin({ workspace, choices, about, key }) {
      const id = key === undefined ? newRunId() : chatIdFor(key);
      const { placeOf } = await import('../../world/workspace/index.ts');
      const event: ChatEvent = {
        v: 1,
        at: systemClock.now(),
        type: 'chat-begun',
        chat: id,
        place: await placeOf(workspace),
        ...givenHere.given({}),
        options: await (await import('./chat-options.ts')).chatOptions(config, choices, models),
        ...(about === undefined ? {} : { about }),
      };
      const events = [event as unknown as RunEvent];
      const begun = await store.begin(id, { kind: 'chat', id: `begin:${key ?? newKey()}`, events });
      if (begun.ok && !begun.repeated) begunHere.add(id);
      return id;
    },
    reserve() {
      const key = newKey();
      return { id: chatIdFor(key), key };
    },
    request: (id, body, asked) => streams.request(id, body, asked),
    state,
    list: (query) => streams.list({ ...query, kind: 'chat' }),
    waiting: (limit) => chats.list({ state: ['waiting'], limit }),
    async find(named, workspace) {
      const rows =
        named === undefined
          ? await chats.list({ workspace, limit: 1 })
          : ((await streams.withPrefix(named, 'chat')) as ChatRow[]);
      const [row, ...others] = rows;
      if (row === undefined)
        throw new AppError(
          'no-such-stream',
          named === undefined
            ? 'there is no conversation in this folder yet'
            : `there is no conversation ${JSON.stringify(named)}`,
        );
      if (others.length > 0 && row.id !== named)
        throw new AppError('ambiguous-run', `several conversations begin with ${named}: name more of it`);
      return row;
    },
    async keepPicture(id, name, bytes) {
      await state(id);
      const problem = pictureProblem(name, bytes);
      if (problem !== null) throw new AppError('usage', problem);
      const { keepPicture } = await import('../../world/tools/index.ts');
      return keepPicture(store.output, id, name, bytes);
    },
    async picture(id, hash) {
      const known = turnsOf(await state(id))
        .flatMap(picturesOf)
        .find((picture) => picture.hash === hash);
      if (known === undefined) return null;
      const { readPicture } = await import('../../world/tools/index.ts');
      const bytes = await readPicture(store.output, id, known);
      return bytes === null ? null : { type: known.type, bytes };
    },
    drive: (id, options) => streams.drive(id, options) as Promise<Rested<ChatState>>,
    async driveAll(id, options) {
      for (;;) {
        const rested = await chats.drive(id, options);
        const row = await streams.row<ChatRow>(id);
        const run = row?.awaits ?? null;
        if (run === null || rested.why === 'stopped') return { state: await state(id), run: null };
        await streams.drive(run, options);
        const after = await streams.row(run);
        if (after?.endedAt === null || after === null) return { state: await state(id), run };
      }
    },
  };
  return chats;
}
