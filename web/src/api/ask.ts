import type { RequestBody } from '@contract';
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
  const toast = { id: count, text, bad };
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.slice(-2), toast] }));
  setTimeout(() => dismiss(toast.id), bad ? 8000 : 4000);
}
export const dismiss = (id: number): void =>
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));

/** Asks something of a run. What becomes of it is a fact in the journal; what cannot even be asked is said here. */
export async function ask(id: string, request: RequestBody): Promise<boolean> {
  try {
    await client.request(id, request, crypto.randomUUID());
    return true;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), true);
    return false;
  }
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
