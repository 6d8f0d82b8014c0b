import { Writable } from 'node:stream';
import type { ClientContext, InitializeResponse } from '@agentclientprotocol/sdk';
import { answerForm } from '../../../../core/tasks/index.ts';
import type { ProgramPeer } from '../../../../world/process/peer.ts';
import {
  type Agent,
  type AgentConfig,
  type AgentContext,
  type AgentRunResult,
  answeredRun,
  createStops,
  failedRun,
  failureOf,
  GO_ON,
  withCommit,
} from '../../agent.ts';
import { hear } from './heard.ts';
import { pacedBy } from './paced.ts';
import { Terminals } from './terminals.ts';

/** How the program of an agent comes to life: at its gate, with a group of its own. */
export interface AcpProgram {
  isThere(): Promise<boolean>;
  /** Rejects with what prevents it. */
  start(context: AgentContext): Promise<ProgramPeer>;
}

/** What the program itself says when it wants somebody to log in. */
const WANTS_LOGIN = -32000;

/**
 * Any program that speaks the Agent Client Protocol.
 *
 *   started at its gate ─▶ written down ─▶ initialize ─▶ session/new │ resume │ load ─▶ prompt ─▶ its last words are read
 *            └── stop, time, limits, or its own end ──▶ all that it started is ended
 */
export function createAcpAgent(type: string, program: AcpProgram): Agent {
  const stops = createStops();
  return {
    type,
    isAvailable: () => program.isThere(),
    stop: stops.stop,
    async execute(context, config, onOutput = () => {}, onLog = () => {}, onPromptBuilt) {
      const signal = stops.begin(context.run);
      let peer: ProgramPeer | null = null;
      try {
        peer = await program.start(context);
        if (!(await context.host.spawned(peer.group)))
          return failedRun('stopped', 'somebody else has the run');
        const ending = peer;
        const end = () => void ending.end();
        signal.addEventListener('abort', end, { once: true });
        if (signal.aborted) return failedRun('stopped', 'it was stopped');
        peer.open();
        const prompt = `${context.prompt}\n\n${answerForm(context.mode)}`;
        onPromptBuilt?.(prompt);
        const ended = await converse({ ...context, prompt }, config, peer, signal, { onOutput, onLog });
        await peer.end();
        return await withCommit(context, ended, onLog);
      } catch (error) {
        if (signal.aborted) return failedRun('stopped', 'it was stopped');
        return failedRun('error', failureOf(error, peer?.said() ?? ''));
      } finally {
        await peer?.end();
        stops.end(context.run);
      }
    },
  };
}

interface Telling {
  onOutput(chunk: string): void;
  onLog(message: string, data?: Record<string, unknown>): void;
}

async function converse(
  context: AgentContext,
  config: AgentConfig,
  peer: ProgramPeer,
  signal: AbortSignal,
  { onOutput, onLog }: Telling,
): Promise<AgentRunResult> {
  const [{ client: createClient, ndJsonStream, PROTOCOL_VERSION }, { clientFor }] = await Promise.all([
    import('@agentclientprotocol/sdk'),
    import('./client.ts'),
  ]);
  const { host, mode, prompt } = context;
  // What an interrupted run has spent nobody was told; what a finished one has, everybody: that one is begun anew.
  const session = context.attempt === 1 ? context.session : null;
  const heard = hear(onOutput);
  const terminals = new Terminals(host);
  const spent = () => ({ turns: heard.turns(), costUsd: heard.costUsd(), tokens: heard.tokens() });
  let name = '';
  const limit = Promise.withResolvers<AgentRunResult>();
  const app = clientFor(
    createClient({ name: 'planwright' }),
    { host, terminals, onLog, introduced: () => name },
    (update) => {
      heard.take(update);
      if (heard.turns() > config.turns)
        limit.resolve(failedRun('limit', `it took more than ${config.turns} turns`, spent()));
      if (heard.costUsd() > config.money)
        limit.resolve(failedRun('limit', `it cost more than ${config.money} $`, spent()));
    },
  );
  const stream = ndJsonStream(
    Writable.toWeb(peer.input) as WritableStream<Uint8Array>,
    pacedBy(peer.output, peer.input),
  );
  const connection = app.connect(stream);
  const { agent } = connection;
  const gone = peer.exited.then(({ exitCode, signal: by }): never => {
    throw new Error(`it ended by itself (${by ?? `exit code ${exitCode ?? 'none'}`})`);
  });
  const talk = async (): Promise<AgentRunResult> => {
    const initialized = await agent.request('initialize', {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
      clientInfo: { name: 'planwright', version: '1' },
    });
    name = initialized.agentInfo?.name ?? '';
    if (initialized.protocolVersion !== PROTOCOL_VERSION)
      return failedRun('error', `it speaks version ${initialized.protocolVersion} of the protocol`);
    const { id, isGoneOnWith } = await openSession(agent, initialized, context.worktree, session);
    if (!(await host.named(id))) return failedRun('stopped', 'somebody else has the run');
    onLog('session', { id });
    const text = isGoneOnWith ? `${GO_ON}${prompt}` : prompt;
    const response = await agent.request('session/prompt', {
      sessionId: id,
      prompt: [{ type: 'text', text }],
    });
    heard.ended(response);
    switch (response.stopReason) {
      case 'end_turn':
        return answeredRun(mode, { text: heard.text() }, spent());
      case 'cancelled':
        return failedRun('stopped', 'it was stopped', spent());
      case 'max_tokens':
      case 'max_turn_requests':
        return failedRun('limit', `it came to a limit of its own (${response.stopReason})`, spent());
      case 'refusal':
        return failedRun('error', 'its model refuses to go on', spent());
    }
  };
  // Whichever comes first: the others may still fail, and nobody waits for them any more.
  const ways = [talk(), gone, limit.promise];
  for (const way of ways) way.catch(() => {});
  try {
    const ended = await Promise.race(ways);
    return signal.aborted ? failedRun('stopped', 'it was stopped', spent()) : ended;
  } catch (error) {
    if (signal.aborted) return failedRun('stopped', 'it was stopped', spent());
    const { code } = error as { code?: unknown };
    if (code === WANTS_LOGIN)
      return failedRun('unavailable', 'it wants somebody to log in: start it by hand once, and log in there');
    throw error;
  } finally {
    await terminals.close();
    connection.close();
  }
}

/** The session that it is to go on with, where it can; a new one otherwise. */
async function openSession(
  agent: ClientContext,
  { agentCapabilities }: InitializeResponse,
  cwd: string,
  before: string | null,
): Promise<{ id: string; isGoneOnWith: boolean }> {
  const { sessionCapabilities, loadSession } = agentCapabilities ?? {};
  const way = sessionCapabilities?.resume != null ? 'session/resume' : loadSession ? 'session/load' : null;
  if (before !== null && way !== null)
    try {
      await agent.request(way, { sessionId: before, cwd, mcpServers: [] });
      return { id: before, isGoneOnWith: true };
    } catch {
      // It does not have it any more.
    }
  const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
  return { id: sessionId, isGoneOnWith: false };
}
