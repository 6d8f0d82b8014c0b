import { isLostConnection } from './failures.ts';

/** A connection that is this transaction's alone until it is released; with an error it is not used again. */
interface Client {
  query(sql: string): Promise<unknown>;
  release(unwell?: Error): void;
}

/** Runs the body in a transaction; an error undoes all of it. `ending` is told before it is committed. */
export async function inTransaction<T>(
  client: Client,
  body: () => Promise<T>,
  ending: () => void,
): Promise<T> {
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    const value = await body();
    ending();
    await client.query('COMMIT');
    return value;
  } catch (error) {
    // Who does not answer is not asked again: the server undoes by itself what it hears no more of.
    if (isLostConnection(error)) failure = error as Error;
    else
      await client.query('ROLLBACK').catch((second: Error) => {
        failure = second;
      });
    throw error;
  } finally {
    client.release(failure);
  }
}
