import type { EventOf, RequestBody, RunState } from '@contract';
import { capital, refusalWords } from '@told';
import { create } from 'zustand';
import { client } from './client.ts';

/** Something that was said once and need not be answered. */
interface Toast {
  id: number;
  text: string;
  bad: boolean;
}
export const useToasts = create<{ toasts: Toast[] }>(() => ({ toasts: [] }));
let count = 0;

export function say(text: string, bad = false): void {
  count += 1;
  const toast = { id: count, text: capital(text), bad };
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.slice(-2), toast] }));
  setTimeout(() => dismiss(toast.id), bad ? 8000 : 4000);
}
export const dismiss = (id: number): void =>
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));

/** What this page asked, and what was refused before the page was told where its request stands. */
const mine = new Map<string, RequestBody>();
const refused = new Map<string, { message: string; run: RunState }>();

/**
 * Asks something of a run. What becomes of it is a fact in the journal: a refusal is said here, as is what cannot even be
 * asked.
 */
export async function ask(id: string, request: RequestBody): Promise<boolean> {
  try {
    const { seq } = await client.request(id, request, crypto.randomUUID());
    const place = `${id}/${seq}`;
    mine.set(place, request);
    tellRefusal(place);
    return true;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), true);
    return false;
  }
}

type Resuming = Omit<Extract<RequestBody, { type: 'resume-requested' }>, 'type' | 'onAsk'>;

/** Goes on with a run that rests. Somebody is here: what it was to do where nobody is no longer holds. */
export const goOn = (id: string, more: Resuming = {}): Promise<boolean> =>
  ask(id, { type: 'resume-requested', onAsk: 'wait', ...more });

/** A request of this run was refused, whoever made it. */
export function heardRefusal(id: string, event: EventOf<'request-refused'>, run: RunState): void {
  const place = `${id}/${event.answers}`;
  refused.set(place, { message: event.message, run });
  for (const old of [...refused.keys()].slice(0, -50)) refused.delete(old);
  tellRefusal(place);
}

function tellRefusal(place: string): void {
  const [request, refusal] = [mine.get(place), refused.get(place)];
  if (request === undefined || refusal === undefined) return;
  mine.delete(place);
  refused.delete(place);
  say(refusalWords(request, refusal.message, refusal.run), true);
}

/** Does something that may fail, and says so where it does. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), true);
    return null;
  }
}
