/**
 * What is asked in the same turn of this process is asked in one question: `ask` is given all of it, and answers in its order.
 * A question that fails fails for all of them. Nothing waits for an answer that is under way.
 */
export function inOne<K, V>(ask: (given: readonly K[]) => Promise<readonly V[]>): (one: K) => Promise<V> {
  let waiting: { one: K; done: PromiseWithResolvers<V> }[] = [];
  const send = async (): Promise<void> => {
    const sent = waiting;
    waiting = [];
    try {
      const answers = await ask(sent.map(({ one }) => one));
      sent.forEach(({ done }, n) => {
        done.resolve(answers[n]!);
      });
    } catch (error) {
      for (const { done } of sent) done.reject(error);
    }
  };
  return (one) => {
    const done = Promise.withResolvers<V>();
    if (waiting.push({ one, done }) === 1) setImmediate(send);
    return done.promise;
  };
}
