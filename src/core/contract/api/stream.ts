import { ApiError } from './errors.ts';

/** One message of a stream of server-sent events. */
export interface StreamMessage {
  id: string | null;
  event: string;
  data: string;
}

/** Whether a stream is being read now. It is `lost` until the server answers again; nothing is missed meanwhile. */
export type Connection = 'open' | 'lost';

export interface StreamOptions {
  signal?: AbortSignal;
  onConnection?(connection: Connection): void;
}

export interface StreamPorts {
  /** Opens the stream after what was seen last. Rejects where nobody answers. */
  open(after: string | null, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;

/**
 * The messages of a stream, for ever, over as many connections as it takes: each begins after the last message that
 * was handed out. Ends when the signal aborts; throws where the server says no.
 */
export async function* readForEver(
  ports: StreamPorts,
  after: string | null,
  { signal = new AbortController().signal, onConnection }: StreamOptions,
): AsyncGenerator<StreamMessage> {
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    // Whoever stops iterating ends the connection too.
    const ending = new AbortController();
    const both = AbortSignal.any([signal, ending.signal]);
    try {
      const body = await ports.open(after, both);
      onConnection?.('open');
      for await (const message of parseStream(body)) {
        pause = FIRST_PAUSE_MS;
        after = message.id ?? after;
        yield message;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) throw error;
    } finally {
      ending.abort();
    }
    if (signal.aborted) return;
    onConnection?.('lost');
    await ports.pause(pause, signal);
    pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
  }
}

/** The whole messages in a stream of bytes; one that is cut off is left out. */
export async function* parseStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const message = parseBlock(block);
        if (message !== null) yield message;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function parseBlock(block: string): StreamMessage | null {
  const message: StreamMessage = { id: null, event: 'message', data: '' };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const at = line.indexOf(':');
    const [field, value] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')];
    if (field === 'id') message.id = value;
    else if (field === 'event') message.event = value;
    else if (field === 'data') data.push(value);
  }
  return data.length === 0 ? null : { ...message, data: data.join('\n') };
}
