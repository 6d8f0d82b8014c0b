import { StoreError } from '../errors.ts';

/**
 * What is asked in the same turn of this process is asked in one question: `ask` is given all of it, and answers in its order.
 * Where that fails, each is asked alone: what is wrong with one, and whoever has locked what it needs, is no matter of the others.
 * Nothing waits for an answer that is under way.
 */
export function inOne<K, V>(
  ask: (given: readonly K[], isAlone: boolean) => Promise<readonly V[]>,
): (one: K) => Promise<V> {
  type Waiting = { one: K; done: PromiseWithResolvers<V> };
  let waiting: Waiting[] = [];
  const sendAll = async (sent: readonly Waiting[]): Promise<void> => {
    const answers = await ask(
      sent.map(({ one }) => one),
      sent.length === 1,
    );
    sent.forEach(({ done }, n) => {
      done.resolve(answers[n]!);
    });
  };
  const send = async (): Promise<void> => {
    const sent = waiting;
    waiting = [];
    try {
      await sendAll(sent);
    } catch (error) {
      const isFinal = sent.length === 1 || isAway(error);
      for (const each of sent)
        if (isFinal) each.done.reject(error);
        else sendAll([each]).catch(each.done.reject);
    }
  };
  return (one) => {
    const done = Promise.withResolvers<V>();
    if (waiting.push({ one, done }) === 1) setImmediate(send);
    return done.promise;
  };
}

/** It would be the same for each of them. */
export const isAway = (error: unknown): boolean =>
  error instanceof StoreError && (error.code === 'store-unreachable' || error.code === 'store-closed');

/**
 * Stands before what a statement selects from: whoever has locked something that it needs is waited for, but not for long. For
 * what many have asked for in one; who asks alone waits as long as it takes.
 */
export const briefly = (isAlone: boolean): string =>
  isAlone ? '' : "(SELECT set_config('lock_timeout', '500ms', true)) AS brief, ";
