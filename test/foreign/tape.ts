import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One question of ours to a server of others and what it said, without what differs from run to run. */
export interface Exchange {
  asked: { path: string; fields: string[]; roles: string[] };
  answered: { status: number; type: string; body: string };
}

export interface Tape {
  /** Of the server, as far as anybody who asks can tell. */
  origin: string;
  exchanges: Exchange[];
  close(): Promise<void>;
}

/** The whole answer to a question; `said` is called with each piece of it as it comes. */
type Answer = (
  question: { path: string; headers: IncomingHttpHeaders; text: string },
  begin: (status: number, type: string) => void,
  said: (piece: string) => void,
) => Promise<void>;

/** Hands questions on to the server at this origin, and writes down what went to and fro. */
export const listenTo = (origin: string): Promise<Tape> =>
  open(async ({ path, headers, text }, begin, said) => {
    const { host: _host, connection: _connection, 'content-length': _length, ...kept } = headers;
    const answer = await fetch(origin + path, {
      method: 'POST',
      headers: kept as Record<string, string>,
      body: text,
    });
    begin(answer.status, answer.headers.get('content-type') ?? '');
    const decoder = new TextDecoder();
    for await (const bytes of answer.body!) said(decoder.decode(bytes, { stream: true }));
  });

/** Stands for the server that was listened to: says what it said, in the same order. */
export const play = (recorded: readonly Exchange[]): Promise<Tape> => {
  let next = 0;
  return open(async (_question, begin, said) => {
    const answered = recorded[next++]?.answered ?? { status: 500, type: 'text/plain', body: 'not recorded' };
    begin(answered.status, answered.type);
    said(answered.body);
  });
};

async function open(answer: Answer): Promise<Tape> {
  const exchanges: Exchange[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const question = {
      path: incoming.url ?? '',
      headers: incoming.headers,
      text: `${Buffer.concat(chunks)}`,
    };
    const exchange: Exchange = { asked: askedIn(question), answered: { status: 0, type: '', body: '' } };
    exchanges.push(exchange);
    await answer(
      question,
      (status, type) => {
        Object.assign(exchange.answered, { status, type });
        response.writeHead(status, { 'content-type': type });
      },
      (piece) => {
        exchange.answered.body += piece;
        response.write(piece);
      },
    );
    exchange.answered.body = withoutChance(exchange.answered.body);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function askedIn({ path, text }: { path: string; text: string }): Exchange['asked'] {
  const body = JSON.parse(text) as { messages?: { role: string }[] };
  return {
    path,
    fields: Object.keys(body).toSorted(),
    roles: (body.messages ?? []).map(({ role }) => role),
  };
}

/** Names that are drawn, the time of day, and how long our prompt is: it tells of the machine and its folders. */
const withoutChance = (body: string): string =>
  body
    .replaceAll(/"id":"(chatcmpl|msg|call|toolu)[-_][\w-]+"/g, '"id":"$1-0"')
    .replaceAll(/"created":\d+/g, '"created":0')
    .replaceAll(/"((?:prompt|input|total)_tokens)":\d+/g, '"$1":1000');
