/** Which log: one for each attempt, or for each call of a model. */
export type LogName = readonly [stream: string, of: string, attemptIndex: number];

export interface OutputWriter {
  /** Writes are done in the order of the calls, which need not wait for each other. Rejects with a StoreError. */
  write(chunk: Uint8Array, from?: 'stderr'): Promise<void>;
  /**
   * Resolves when all writes are kept; no more will come. Ending twice does nothing. `withNext`: its stream is appended to next,
   * and what is still to be written of the log may be kept with that.
   */
  end(how?: { withNext: boolean }): Promise<void>;
}

/** The log of a service, which writes it by itself: a file on the machine that the service runs on. */
export interface ServiceLog {
  /** Open for appending, for the service to be given. */
  fd: number;
  path: string;
  /**
   * Keeps it within the size of a log: what is too much is moved to pieces, of which the newest are kept. What the
   * service writes in that moment may be lost. Without it the log grows.
   */
  cap(): Promise<void>;
  /** Of this process; the service keeps its own. Closing twice does nothing. */
  close(): Promise<void>;
}

export interface OutputChunk {
  bytes: Uint8Array;
  /** Where to read on. Beyond `offset + bytes.length` where something was left out: then `bytes` is the marker. */
  next: number;
  /** How long the whole output is so far, with what was left out. */
  size: number;
  /** No more will come. A driver that was killed leaves its last log open for ever. */
  isEnded: boolean;
  /** How much is noted of what came from stderr; more than before: `errors` has more. */
  noted: number;
}

/** Places in the whole output: from the first to before the second. */
export type OutputRange = [start: number, end: number];

/** Logs, addressed by the place in the whole output. */
export interface Output {
  /** Goes on at the end of what is there. */
  writer(...log: LogName): Promise<OutputWriter>;
  /** The same log for a process that is to outlive this one. */
  serviceLog(...log: LogName): Promise<ServiceLog>;
  /** Up to `limit` bytes from `offset` on; fewer do not mean the end. An unknown log is empty. */
  read(...at: [...log: LogName, offset: number, limit: number]): Promise<OutputChunk>;
  /** What of it came from stderr, in order; of very much only the first part is known. */
  errors(...log: LogName): Promise<OutputRange[]>;
  /** What there is from the beginning (or `offset`) and what comes, until the log ends or the signal aborts. */
  follow(...at: [...log: LogName, signal: AbortSignal, offset?: number]): AsyncIterable<OutputChunk>;
}
