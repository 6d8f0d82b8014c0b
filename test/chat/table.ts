import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatEvent, ChatState } from '../../src/core/contract/index.ts';
import { type App, openApp } from '../../src/doors/app/app.ts';
import { ownerAt } from '../../src/doors/app/asker.ts';
import type { ChatChoices } from '../../src/doors/app/chat-options.ts';
import { type Behaviour, startOpenAi, type WireServer } from '../wire/index.ts';
import type { WireRequest } from '../wire/script.ts';

/** A folder, a model that says what it is told to, and a conversation in this process. */
export interface Table {
  app: App;
  readonly chat: string;
  server: WireServer;
  workspace: string;
  home: string;
  write(name: string, text: string): void;
  read(name: string): string | null;
  /** What the model says, one after the other; the planner and the fast model answer for themselves. */
  talk(...answers: Behaviour[]): void;
  plan: { steps: string[] };
  /** The requests that the talking model was sent. */
  heard(): WireRequest[];
  say(text: string, plan?: 'always' | 'never'): Promise<ChatState>;
  go(): Promise<ChatState>;
  ask(body: Parameters<App['chats']['request']>[1]): Promise<number>;
  events(): Promise<ChatEvent[]>;
  types(): Promise<string[]>;
  /** Another conversation in the same folder, of which nothing has been said yet. */
  beginAnew(): Promise<void>;
  close(): Promise<void>;
}

export const by = ownerAt('library');

const isTalk = ({ body }: WireRequest): boolean => body['model'] === 'talker';

export async function openTable(
  choices: Partial<ChatChoices> = {},
  env: Record<string, string> = {},
): Promise<Table> {
  const home = mkdtempSync(join(tmpdir(), 'pw-chat-home-'));
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pw-chat-')));
  const answers: Behaviour[] = [];
  const plan = { steps: ['RUN_COMMAND echo planned > planned.txt'] };
  const server = await startOpenAi((request) => {
    if (isTalk(request))
      return answers.length > 1 ? answers.shift()! : (answers[0] ?? { text: 'I have nothing to say.' });
    if (request.body['model'] === 'planner') return { text: planText(plan.steps) };
    return { text: 'WHO: a person\nWHAT: it\nWHEN: now\nWHERE: here\nWHY: because' };
  });
  const all = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    PLANWRIGHT_HOME: join(home, 'pw'),
    COMPATIBLE_API_KEY: '',
    PLANWRIGHT_MODELS_URL: server.url,
    PLANWRIGHT_MODELS_CHAT: 'compatible/talker',
    PLANWRIGHT_MODELS_PLANNER: 'compatible/planner',
    PLANWRIGHT_MODELS_FAST: 'compatible/fast',
    PLANWRIGHT_SANDBOX: 'off',
    OLLAMA_HOST: 'http://127.0.0.1:9',
    ...env,
  };
  const app = await openApp({ env: all, cwd: workspace, workspace });
  const begin = () =>
    app.chats.begin({ workspace, choices: { mode: 'agentic', attended: true, ...choices } });
  let chat = await begin();
  const go = async () => (await app.chats.driveAll(chat)).state;
  const events = async () =>
    (await app.streams.read(chat, 0)).map(({ event }) => event as unknown as ChatEvent);
  return {
    app,
    get chat() {
      return chat;
    },
    server,
    workspace,
    home,
    plan,
    write: (name, text) => writeFileSync(join(workspace, name), text),
    read: (name) => (existsSync(join(workspace, name)) ? readFileSync(join(workspace, name), 'utf8') : null),
    talk: (...more) => void answers.splice(0, answers.length, ...more),
    heard: () => server.requests.filter(isTalk),
    go,
    async say(text, planned) {
      await app.chats.request(
        chat,
        { type: 'message-sent', text, ...(planned ? { plan: planned } : {}) },
        { by },
      );
      return go();
    },
    ask: (body) => app.chats.request(chat, body, { by }),
    events,
    async beginAnew() {
      chat = await begin();
    },
    types: async () => (await events()).map(({ type }) => type),
    async close() {
      await app.close();
      await server.close();
      for (const folder of [home, workspace]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const planText = (steps: readonly string[]): string =>
  `<json>${JSON.stringify({
    goal: 'g',
    thinking_summary: 'It is simple.',
    reflection: 'Nothing can go wrong.',
    ready: true,
    plan: steps.map((action, at) => ({ step: `Step ${at + 1}`, action, expects: 'exit 0' })),
  })}</json>`;
