import { isAbsolute } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  type AgentContext,
  agent,
  type InitializeRequest,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk';
import type { Mode } from '../../core/contract/index.ts';
import { slashLike, visible } from '../../core/contract/told/index.ts';
import { type App, openApp } from '../app/app.ts';
import { type Asker, ownerAt } from '../app/asker.ts';
import { decidesThrough } from '../app/deciding-clients.ts';
import { AppError } from '../app/errors.ts';
import type { Env } from '../app/places.ts';
import { listSessions, tellPast } from './past.ts';
import { EditorSession } from './session.ts';
import { createTeller } from './tell.ts';
import { createWitness } from './witness.ts';

export interface AcpOptions {
  env: Env;
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  version: string;
  /** Said beside the protocol. */
  note(sentence: string): void;
  /** Aborts where the program is told to end. */
  signal: AbortSignal;
}

/** No editor sends more at once; what does is no editor. */
const LARGEST_MESSAGE = 32 * 1024 * 1024;

/** Serves one editor until it goes. Resolves when all that went on has come to rest. */
export async function serveAcp({ env, input, output, version, note, signal }: AcpOptions): Promise<void> {
  const witness = createWitness();
  const gone = new AbortController();
  const apps = new Map<string, Promise<App>>();
  const sessions = new Map<string, EditorSession>();
  let editor: InitializeRequest | null = null;

  const appAt = async (cwd: string): Promise<App> => {
    if (!isAbsolute(cwd)) throw new AppError('usage', `${JSON.stringify(cwd)} is no absolute path`);
    let opened = apps.get(cwd);
    if (opened === undefined) {
      opened = openApp({ env, cwd, workspace: cwd, announce: note, witness });
      apps.set(cwd, opened);
      opened.catch(() => apps.delete(cwd));
    }
    return opened;
  };
  /** Whoever sits at the editor, as far as they have said that they decide there: that may be taken back at any time. */
  const askerIn = (app: App) => (): Asker => {
    const { actor } = ownerAt('acp');
    const { version: of = '' } = editor?.clientInfo ?? {};
    const name = nameOf(editor);
    const client = visible(`${name} ${of}`.trim()).slice(0, 100);
    const decides = decidesThrough(app.places, env, app.workspace, name);
    return { actor: { ...actor, client }, scope: decides ? 'decide' : 'ask' };
  };
  /** An editor may answer by program whatever it was to ask its person: until they have named it, it does nothing. */
  const mustBeNamed = (app: App): void => {
    if (askerIn(app)().scope !== 'decide')
      throw RequestError.authRequired(undefined, howToName(nameOf(editor)));
  };
  const tellerFor = (client: AgentContext, sessionId: string) =>
    createTeller((update) => client.notify('session/update', { sessionId, update }));
  const open = (id: string, app: App, client: AgentContext, more: { key: string | null; mode: Mode }) => {
    // It may have been sent a message since it was asked for.
    busy(id);
    const { clientCapabilities } = editor ?? {};
    const session = new EditorSession({
      ...{ id, app, env, client, witness, by: askerIn(app), gone: gone.signal, ...more },
      teller: tellerFor(client, id),
      hasForms: clientCapabilities?.elicitation?.form != null,
      readsTexts: clientCapabilities?.fs?.readTextFile === true,
    });
    sessions.set(id, session);
    void client
      .notify('session/update', {
        sessionId: id,
        update: { sessionUpdate: 'available_commands_update', availableCommands: commands },
      })
      .catch(() => {});
    return session;
  };
  /** A conversation that is kept, of this folder. */
  const known = async (id: string, cwd: string) => {
    const app = await appAt(cwd);
    if ((await app.streams.kindOf(id)) !== 'chat') throw RequestError.sessionNotFound(id);
    const state = await app.chats.state(id);
    if (state.workspace !== app.workspace)
      throw new AppError('usage', `the conversation ${id} belongs to ${state.workspace}`);
    return { app, mode: state.options?.mode ?? app.config.values.mode };
  };
  const sessionOf = (id: string): EditorSession => {
    const session = sessions.get(id);
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  };
  const busy = (id: string) => {
    if (sessions.get(id)?.isAtWork) throw new AppError('usage', `the conversation ${id} is at a message`);
  };

  const connection = agent({ name: 'planwright' })
    .onRequest('initialize', ({ params }) => {
      editor = params;
      const description = howToName(nameOf(params));
      return {
        authMethods: [{ id: 'clients.decide', name: 'Decide in this editor', description }],
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: 'planwright', title: 'Planwright', version },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, embeddedContext: true },
          sessionCapabilities: { list: {}, resume: {}, close: {} },
        },
      };
    })
    .onRequest('session/new', ({ params, client }) =>
      asked(async () => {
        const app = await appAt(params.cwd);
        mustBeNamed(app);
        const { id, key } = app.chats.reserve();
        const session = open(id, app, client, { key, mode: app.config.values.mode });
        unused(params.mcpServers);
        return { sessionId: id, modes: session.modes };
      }),
    )
    .onRequest('session/load', ({ params: { sessionId, cwd, mcpServers }, client }) =>
      asked(async () => {
        busy(sessionId);
        const { app, mode } = await known(sessionId, cwd);
        const teller = tellerFor(client, sessionId);
        await tellPast(app, sessionId, teller);
        await teller.settled();
        unused(mcpServers);
        return { modes: open(sessionId, app, client, { key: null, mode }).modes };
      }),
    )
    .onRequest('session/resume', ({ params: { sessionId, cwd }, client }) =>
      asked(async () => {
        busy(sessionId);
        const { app, mode } = await known(sessionId, cwd);
        return { modes: open(sessionId, app, client, { key: null, mode }).modes };
      }),
    )
    .onRequest('session/list', ({ params: { cwd, cursor } }) =>
      asked(async () => listSessions(await appAt(cwd ?? process.cwd()), cwd != null, cursor ?? null)),
    )
    .onRequest('session/prompt', ({ params: { sessionId, prompt } }) =>
      asked(async () => {
        const session = sessionOf(sessionId);
        mustBeNamed(session.app);
        return { stopReason: await session.prompt(prompt) };
      }),
    )
    .onRequest('authenticate', () =>
      asked(async () => {
        mustBeNamed(await appAt(process.cwd()));
        return {};
      }),
    )
    .onRequest('session/set_mode', ({ params: { sessionId, modeId } }) =>
      asked(async () => {
        await sessionOf(sessionId).setMode(modeId);
        return {};
      }),
    )
    .onRequest('session/close', ({ params: { sessionId } }) =>
      asked(async () => {
        await sessionOf(sessionId).rest();
        sessions.delete(sessionId);
        return {};
      }),
    )
    .onNotification('session/cancel', ({ params: { sessionId } }) => sessions.get(sessionId)?.cancel())
    .connect(
      ndJsonStream(
        Writable.toWeb(output as Writable) as WritableStream<Uint8Array>,
        Readable.toWeb(input as Readable) as ReadableStream<Uint8Array>,
        { maxMessageBytes: LARGEST_MESSAGE },
      ),
    );

  function unused(servers: readonly unknown[]): void {
    if (servers.length > 0)
      note('MCP servers of the editor are not used: planwright has its own settings for them.');
  }

  // Whoever only waits for what others write keeps no process alive.
  const awake = setInterval(() => {}, 60_000);
  const end = () => connection.close();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    await connection.closed;
    const resting = Promise.all([...sessions.values()].map((session) => session.rest().catch(() => {})));
    gone.abort();
    await resting;
    for (const app of await Promise.allSettled(apps.values()))
      if (app.status === 'fulfilled') await app.value.close();
  } finally {
    signal.removeEventListener('abort', end);
    clearInterval(awake);
  }
}

/** What the editor calls itself, as it is named in settings: without spaces and commas. */
const nameOf = (editor: InitializeRequest | null): string =>
  visible((editor?.clientInfo?.name ?? '').trim().replace(/[\s,]+/g, '-')).slice(0, 80) || 'editor';

const howToName = (name: string): string =>
  `say once that you decide in this editor: planwright config set clients.decide ${name} (and others after commas)`;

const commands = slashLike('/')
  .filter(({ name }) => name !== '/exit' && name !== '/stop')
  .map(({ name, usage, about }) => {
    const hint = usage.slice(name.length).trim();
    return { name: name.slice(1), description: about, ...(hint === '' ? {} : { input: { hint } }) };
  });

/** What goes wrong is a sentence for the editor. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RequestError) throw error;
    if (error instanceof AppError)
      throw new RequestError(error.code === 'not-allowed' ? -32000 : -32602, error.message);
    throw new RequestError(-32603, error instanceof Error ? error.message : String(error));
  }
}
