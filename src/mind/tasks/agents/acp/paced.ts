import type { Readable, Writable } from 'node:stream';

/**
 * What a program says, for as long as it listens: while it takes no answers, nothing more of it is read. Otherwise whoever asks
 * and asks would have all answers kept for it in memory.
 */
export function pacedBy(output: Readable, input: Writable): ReadableStream<Uint8Array> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of output) {
      yield chunk as Uint8Array;
      if (input.writableNeedDrain && !input.destroyed) await drained(input);
    }
  }
  return ReadableStream.from(chunks());
}

const drained = (input: Writable): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      input.off('drain', done);
      input.off('close', done);
      resolve();
    };
    input.once('drain', done);
    input.once('close', done);
  });
