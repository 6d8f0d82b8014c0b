import type { Socket } from 'node:net';

export type OutputStream = 'stdout' | 'stderr';

/** Takes a step's output. A returned promise says when the bytes are no longer in memory. Must not throw. */
export type OnOutput = (stream: OutputStream, bytes: Buffer) => void | Promise<void>;

/** So much may wait for a slow taker before the command has to wait too. */
const WAITING_LIMIT = 4 * 1024 * 1024;

export interface OutputDrain {
  /** Resolves when both pipes are at their end. */
  ended: Promise<void>;
  /** Resolves when all that was read has been taken. */
  taken(): Promise<void>;
  /**
   * Takes no more. A process that still holds a pipe keeps a reader, which throws away what it writes and keeps
   * no event loop alive: a closed pipe would kill it.
   */
  leave(): void;
}

/** Reads what pipes there are as fast as the taker takes, and never holds more than a few megabytes. */
export function drainOutput(pipes: Record<OutputStream, Socket | null>, onOutput: OnOutput): OutputDrain {
  const sockets = [pipes.stdout, pipes.stderr].filter((socket) => socket !== null);
  const pending = new Set<Promise<void>>();
  let waiting = 0;
  let left = false;

  const take = (stream: OutputStream, bytes: Buffer): void => {
    if (left) return;
    const taking = onOutput(stream, bytes);
    if (!taking) return;
    waiting += bytes.length;
    if (waiting > WAITING_LIMIT) for (const socket of sockets) socket.pause();
    const settled = taking
      .catch(() => {})
      .then(() => {
        pending.delete(settled);
        waiting -= bytes.length;
        if (waiting <= WAITING_LIMIT) for (const socket of sockets) socket.resume();
      });
    pending.add(settled);
  };

  pipes.stdout?.on('data', (bytes: Buffer) => take('stdout', bytes));
  pipes.stderr?.on('data', (bytes: Buffer) => take('stderr', bytes));
  return {
    ended: Promise.all(sockets.map(ending)).then(() => {}),
    taken: async () => {
      while (pending.size > 0) await Promise.all(pending);
    },
    leave: () => {
      left = true;
      for (const socket of sockets) if (!socket.destroyed) socket.resume().unref();
    },
  };
}

/** Resolves when the socket is at its end; an error ends it too. */
const ending = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.on('error', () => {});
    socket.on('end', resolve);
    socket.on('close', () => resolve());
  });

/** Resolves with the promise, or after so many milliseconds without it. */
export async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  const timer = Promise.withResolvers<void>();
  const handle = setTimeout(timer.resolve, ms);
  await Promise.race([promise, timer.promise]);
  clearTimeout(handle);
}
