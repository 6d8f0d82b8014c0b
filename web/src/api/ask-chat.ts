import type { ChatRequestBody } from '@contract';
import { capital } from '@told';
import { attempt, say } from './ask.ts';
import { client } from './client.ts';

/** What this page asked, and what was refused before it was told where its request stands. */
const mine = new Set<string>();
const refused = new Map<string, string>();

/** Asks something of a conversation. A refusal is said here, as is what cannot even be asked; false then. */
export async function askChat(chat: string, request: ChatRequestBody): Promise<boolean> {
  const asked = await attempt(() => client.askOfStream(chat, { request, key: crypto.randomUUID() }));
  if (asked === null) return false;
  mine.add(`${chat}/${asked.seq}`);
  tell(`${chat}/${asked.seq}`);
  return true;
}

/** A request was refused, whoever made it. */
export function heardChatRefusal(chat: string, answers: number, message: string): void {
  const place = `${chat}/${answers}`;
  refused.set(place, message);
  for (const old of [...refused.keys()].slice(0, -50)) refused.delete(old);
  tell(place);
}

function tell(place: string): void {
  const message = refused.get(place);
  if (message === undefined || !mine.delete(place)) return;
  refused.delete(place);
  say(`${capital(message)}.`, true);
}
