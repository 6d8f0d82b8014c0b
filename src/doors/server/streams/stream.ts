/** What a stream tells, and how it knows that there is more. */
export interface EventSource {
  /** The messages after those told last, as text; empty where there are none yet. */
  next(): Promise<string>;
  /** Resolves once there may be more, or when the signal aborts. Never rejects. */
  changed(signal: AbortSignal): Promise<void>;
}

export interface EventStreams {
  /** A response that goes on until the reader leaves or the server ends. */
  open(source: EventSource): Response;
  /** Ends all of them; whoever reads one comes back to the next server. */
  end(): void;
  /** Ends those that are open; whoever may comes back. */
  renew(): void;
  isEnded(): boolean;
  /** Open now, and bytes handed to connections since the start: what waits for a slow reader is in no memory of ours. */
  count(): number;
  handedOut(): number;
}

const message = (fields: Record<string, string>): string =>
  `${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}\n\n`;

/** One message. JSON has no line ends, so one line of data is enough. */
export const dataMessage = (id: number | string, data: unknown): string =>
  message({ id: `${id}`, data: JSON.stringify(data) });
/** A message that is no place to come back to. */
export const passingMessage = (event: string, data: unknown): string =>
  message({ event, data: JSON.stringify(data) });
export const namedMessage = (event: string, id: string, data: unknown): string =>
  message({ event, id, data: JSON.stringify(data) });

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/**
 * Server-sent events by pull: a source is asked for more only when the connection has taken what it was given, so a
 * reader that does not read costs one batch and its socket. A comment now and then shows that both ends live.
 */
export function createStreams({ heartbeatMs }: { heartbeatMs: number }): EventStreams {
  const open = new Set<() => void>();
  const encoder = new TextEncoder();
  let isEnded = false;
  let handedOut = 0;

  const begin = (source: EventSource): ReadableStream<Uint8Array> => {
    let wake = new AbortController();
    let isOver = isEnded;
    let isGreeted = false;
    const end = () => {
      isOver = true;
      wake.abort();
      open.delete(end);
    };
    open.add(end);
    const more = async (): Promise<string> => {
      if (!isGreeted) {
        isGreeted = true;
        return 'retry: 500\n\n';
      }
      const told = await source.next();
      if (told !== '' || isOver) return told;
      wake = new AbortController();
      const beat = setTimeout(() => wake.abort(), heartbeatMs);
      await source.changed(wake.signal);
      clearTimeout(beat);
      return isOver ? '' : (await source.next()) || ': still here\n\n';
    };
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            const text = await more();
            if (text !== '') {
              const bytes = encoder.encode(text);
              handedOut += bytes.length;
              controller.enqueue(bytes);
            }
            if (isOver) controller.close();
          } catch (error) {
            end();
            controller.error(error);
          }
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    );
  };

  return {
    open: (source) => new Response(begin(source), { headers }),
    end() {
      isEnded = true;
      for (const end of [...open]) end();
    },
    renew() {
      for (const end of [...open]) end();
    },
    isEnded: () => isEnded,
    count: () => open.size,
    handedOut: () => handedOut,
  };
}
