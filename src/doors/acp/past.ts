import type { ListSessionsResponse } from '@agentclientprotocol/sdk';
import { keptChats } from '../../core/chat/kept.ts';
import {
  type ChatEvent,
  evolve,
  evolveChat,
  initialChatState,
  initialRunState,
} from '../../core/contract/index.ts';
import { visible } from '../../core/contract/told/index.ts';
import type { App } from '../app/app.ts';
import { AppError } from '../app/errors.ts';
import { lazily } from '../app/follow.ts';
import type { Teller } from './tell.ts';
import { chatTeller } from './tell-chat.ts';
import { runTeller } from './tell-run.ts';

const PAGE = 50;

/** The conversations of a folder, or of all, the newest first: those of every door. `cursor` is the last of the page before. */
export async function listSessions(
  app: App,
  isOfFolder: boolean,
  cursor: string | null,
): Promise<ListSessionsResponse> {
  const last = cursor === null ? null : await app.streams.row(cursor);
  if (cursor !== null && last === null) throw new AppError('usage', 'there is no such cursor');
  const rows = await app.chats.list({
    limit: PAGE,
    ...(isOfFolder ? { workspace: app.workspace } : {}),
    ...(last === null ? {} : { before: last }),
  });
  const sessions = await Promise.all(
    rows
      .filter(({ turns }) => turns > 0)
      .map(async ({ id, workspace, title, updatedAt }) => {
        const redactor = app.redactorFor(await app.chats.state(id), keptChats);
        const updated = new Date(updatedAt).toISOString();
        return { sessionId: id, cwd: workspace, title: visible(redactor.value(title)), updatedAt: updated };
      }),
  );
  return { sessions, ...(rows.length === PAGE ? { nextCursor: rows.at(-1)!.id } : {}) };
}

const none = () => [];

/** Tells an editor all that was in a conversation, its plans too, as the journal has it. */
export async function tellPast(app: App, chat: string, teller: Teller): Promise<void> {
  const redactor = app.redactorFor(await app.chats.state(chat), keptChats);
  const watcher = chatTeller(chat, teller, { isPast: true, diffs: none });
  let state = initialChatState;
  for (const stored of await app.streams.read(chat, 0)) {
    const event = stored.event as unknown as ChatEvent;
    state = evolveChat(state, { seq: stored.seq, event });
    const shown = redactor.value(event);
    watcher.event({ stream: chat, seq: stored.seq, event: shown }, lazily(state, redactor));
    if (event.type === 'child-begun') await tellPlan(app, event.child, teller);
  }
}

async function tellPlan(app: App, run: string, teller: Teller): Promise<void> {
  // What is kept of runs may be less than what is kept of conversations.
  if ((await app.streams.kindOf(run)) !== 'run') return;
  const redactor = app.redactorFor(await app.runs.state(run));
  const watcher = runTeller(run, teller, none);
  let state = initialRunState;
  for (const stored of await app.streams.read(run, 0)) {
    state = evolve(state, stored);
    watcher.event(redactor.value(stored), lazily(state, redactor));
  }
}
