import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import {
  type ClientCapabilities,
  type ClientContext,
  client,
  type InitializeResponse,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { BIN } from '../support/program.ts';

/** What somebody at the editor chooses: an option by its id, or nothing. */
export type Chooses = (asked: RequestPermissionRequest) => string | null | Promise<string | null>;

/** An editor, by the official SDK, and `planwright acp` as its child. */
export interface Editor {
  child: ChildProcess;
  agent: ClientContext;
  initialized: InitializeResponse;
  updates: { sessionId: string; update: SessionUpdate }[];
  asked: RequestPermissionRequest[];
  /** Whoever sits there. */
  chooses: Chooses;
  /** What it shows of files, by their path, where that differs from the disk. */
  buffers: Map<string, string>;
  /** What it answers where it is asked for a text. */
  says: string | null;
  /** Everything that the agent has said in words, from an update on. */
  words(from?: number): string;
  /** Resolves with the first update from `from` on that fits, as soon as there is one. */
  seen(fits: (update: SessionUpdate) => boolean, from?: number): Promise<SessionUpdate>;
  /** Resolves with the code when the program has ended. */
  ended: Promise<number | null>;
  /** Everything is over, and the child gone. */
  close(): Promise<number | null>;
  stderr(): string;
}

export async function openEditor(
  env: NodeJS.ProcessEnv,
  {
    capabilities = {},
    name = 'test-editor',
    cwd,
  }: { capabilities?: ClientCapabilities; name?: string; cwd: string },
): Promise<Editor> {
  const child = spawn(process.execPath, [BIN, 'acp'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let noise = '';
  child.stderr.on('data', (chunk) => {
    noise += chunk;
  });
  child.stdin.on('error', () => {});
  let waiting: (() => void)[] = [];
  const editor: Editor = {
    child,
    updates: [],
    asked: [],
    chooses: () => null,
    buffers: new Map(),
    says: null,
    words: (from = 0) =>
      editor.updates
        .slice(from)
        .map(({ update }) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
            ? update.content.text
            : '',
        )
        .join(''),
    async seen(fits, from = 0) {
      for (let at = from; ; ) {
        for (; at < editor.updates.length; at += 1) {
          const { update } = editor.updates[at]!;
          if (fits(update)) return update;
        }
        await new Promise<void>((wake) => waiting.push(wake));
      }
    },
    ended,
    async close() {
      child.stdin.end();
      return ended;
    },
    stderr: () => noise,
  } as Partial<Editor> as Editor;
  const connection = client({ name })
    .onNotification('session/update', ({ params: { sessionId, update } }) => {
      editor.updates.push({ sessionId, update });
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    })
    .onRequest('session/request_permission', async ({ params }) => {
      editor.asked.push(params);
      const optionId = await editor.chooses(params);
      return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    })
    .onRequest('fs/read_text_file', ({ params: { path } }) => {
      const content = editor.buffers.get(path);
      if (content === undefined) throw new Error('no such buffer');
      return { content };
    })
    .onRequest('elicitation/create', () =>
      editor.says === null ? { action: 'cancel' } : { action: 'accept', content: { answer: editor.says } },
    )
    .connect(
      ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      ),
    );
  editor.agent = connection.agent;
  editor.initialized = await connection.agent.request('initialize', {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name, version: '1.2.3' },
    clientCapabilities: capabilities,
  });
  return editor;
}

/** The text of a card or a question. */
export const textOf = (content: RequestPermissionRequest['toolCall']['content']): string =>
  (content ?? [])
    .map((part) => (part.type === 'content' && part.content.type === 'text' ? part.content.text : ''))
    .join('\n');
