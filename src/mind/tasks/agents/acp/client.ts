import {
  type ClientApp,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { type AgentHost, messageOf } from '../../agent.ts';
import type { Terminals } from './terminals.ts';
import { actionsOf } from './wanted.ts';

interface Served {
  host: AgentHost;
  terminals: Terminals;
  onLog(message: string): void;
  /** The name by which the program introduced itself. */
  introduced(): string;
}

/** They take the error of a file that is not there for one of ours (Gemini CLI 0.61): to them it is empty, as in the editors they know. */
const mistakesAbsence: ReadonlySet<string> = new Set(['gemini-cli']);

/** An error of the protocol, whose sentence its agent is shown: that of any other is kept from it. */
const refusal = (message: string): Error => RequestError.internalError(undefined, message);

/** What the program may ask of us: permission, files and commands. Each goes through the gate. */
export function clientFor(
  app: ClientApp,
  { host, terminals, onLog, introduced }: Served,
  onUpdate: (update: SessionUpdate) => void,
): ClientApp {
  return app
    .onNotification('session/update', ({ params }) => onUpdate(params.update))
    .onRequest('session/request_permission', ({ params }) => permission(host, params, onLog))
    .onRequest('fs/read_text_file', async ({ params: { path, line, limit } }) => {
      const found = await host.read(path).catch((error: unknown) => {
        throw refusal(messageOf(error));
      });
      const whole = found ?? (mistakesAbsence.has(introduced()) ? '' : null);
      // Agents look whether there is one before they write it, and know this error.
      if (whole === null) throw RequestError.resourceNotFound(path);
      const from = (line ?? 1) - 1;
      const isPart = line != null || limit != null;
      const lines = () => whole.split('\n').slice(from, limit == null ? undefined : from + limit);
      const content = isPart ? lines().join('\n') : whole;
      return { content };
    })
    .onRequest('fs/write_text_file', async ({ params: { path, content } }) => {
      const { why, message } = await host.perform({ kind: 'write-file', path, content });
      if (why !== undefined) throw refusal(message ?? `${path} could not be written`);
      return {};
    })
    .onRequest('terminal/create', ({ params }) => {
      try {
        return { terminalId: terminals.create(params) };
      } catch (error) {
        throw refusal(messageOf(error));
      }
    })
    .onRequest('terminal/output', ({ params }) => terminals.look(params.terminalId))
    .onRequest('terminal/wait_for_exit', ({ params }) => terminals.exited(params.terminalId))
    .onRequest('terminal/kill', async ({ params }) => {
      await terminals.kill(params.terminalId);
      return {};
    })
    .onRequest('terminal/release', async ({ params }) => {
      await terminals.release(params.terminalId);
      return {};
    });
}

/** Yes is for this once, whatever else it offers: the next call is another one. */
async function permission(
  host: AgentHost,
  { toolCall, options }: RequestPermissionRequest,
  onLog: (message: string) => void,
): Promise<RequestPermissionResponse> {
  const choose = (kind: 'allow_once' | 'reject_once'): RequestPermissionResponse => {
    const option = options.find((one) => one.kind === kind);
    return {
      outcome:
        option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId },
    };
  };
  for (const action of actionsOf(toolCall)) {
    const allowed = await host.allowed(action);
    if (allowed.ok) continue;
    onLog(`refused: ${toolCall.title ?? action.kind}: ${allowed.message}`);
    return choose('reject_once');
  }
  return choose('allow_once');
}
