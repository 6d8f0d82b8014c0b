import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Behaviour, behaviourFor, type Said, type Script, saidBy, type WireRequest } from './script.ts';

/** A local server that speaks one provider's protocol. */
export interface WireServer {
  /** What the provider's URL variable takes. */
  url: string;
  /** Every request for an answer, in order. */
  requests: readonly WireRequest[];
  /** What it does with the requests from now on. */
  script: Script;
  /** Ends it with all of its connections. */
  close(): Promise<void>;
}

/** What makes one protocol of another. */
export interface Protocol {
  /** Put behind the origin. */
  basePath: string;
  /** Answers requests that are not for a model; false where it is none of those. */
  look?(request: WireRequest, response: ServerResponse): boolean;
  errorBody(status: number, message: string): unknown;
  /** The lines of a whole answer, its end included where `said.end` has one. */
  write(said: Said, request: WireRequest, response: ServerResponse): void;
  malformed(response: ServerResponse): void;
}

export async function startWire(protocol: Protocol, script: Script): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    if (protocol.look?.(request, response)) return;
    requests.push(request);
    answer(protocol, behaviourFor(wire.script, request, requests.length - 1), request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const wire: WireServer = {
    url: `http://127.0.0.1:${port}${protocol.basePath}`,
    requests,
    script,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return wire;
}

async function readRequest(incoming: IncomingMessage): Promise<WireRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers as Record<string, string | undefined>,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

function answer(
  protocol: Protocol,
  behaviour: Behaviour,
  request: WireRequest,
  response: ServerResponse,
): void {
  if ('never' in behaviour) return;
  if ('status' in behaviour) {
    const { status, message = `status ${status}`, retryAfter } = behaviour;
    const headers = {
      'content-type': 'application/json',
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    };
    response.writeHead(status, headers).end(JSON.stringify(protocol.errorBody(status, message)));
    return;
  }
  if ('malformed' in behaviour) {
    protocol.malformed(response);
    return;
  }
  const said = saidBy(behaviour)!;
  protocol.write(said, request, response);
  if (said.end === 'stall') return;
  if (said.end === 'broken') response.write('', () => response.destroy());
  else response.end();
}

/** Server-sent events, with their names where a protocol has names. */
export const openEvents = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return (data: unknown, name?: string): void =>
    void response.write(
      `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    );
};
