import type {
  AgentContext,
  PermissionOption,
  RequestPermissionResponse,
  ToolCallContent,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type { Choice } from '../../core/contract/told/index.ts';

/** The editor as somebody to ask: whoever sits in front of it answers. */
export interface Seat {
  client: AgentContext;
  sessionId: string;
  /** It can ask for a text. */
  hasForms: boolean;
}

/**
 * `left`: they did not say, or said what was not offered; the question stays open. `withdrawn`: it was taken back, because it
 * was answered elsewhere or is no longer wanted.
 */
export type Unanswered = 'left' | 'withdrawn';

/** What does less than was asked about. Anything else lets something be done. */
const refusals: ReadonlySet<string> = new Set(['deny', 'cancel', 'abort', 'skip', 'stop', 'leave']);

/** What needs more than a choice: it is for the terminal and the page. */
const elsewhere: ReadonlySet<string> = new Set([
  'edit',
  'deny-why',
  'always',
  'decline',
  'keep',
  'hint',
  'model',
]);

/** Puts a question with its choices. Only what was offered counts, and nothing is decided where nobody answers. */
export async function choose<D extends string>(
  { client, sessionId }: Seat,
  card: ToolCallUpdate & { content: ToolCallContent[] },
  choices: readonly Choice<D>[],
  signal: AbortSignal,
): Promise<{ decision: D } | Unanswered> {
  const offered = choices.filter(({ decision }) => !elsewhere.has(decision));
  const options = offered.map(
    ({ decision, label }): PermissionOption => ({
      optionId: decision,
      name: label,
      kind: refusals.has(decision) ? 'reject_once' : 'allow_once',
    }),
  );
  let answer: RequestPermissionResponse;
  try {
    answer = await client.request(
      'session/request_permission',
      { sessionId, toolCall: { status: 'pending', ...card }, options },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
  } catch {
    return signal.aborted ? 'withdrawn' : 'left';
  }
  // An answer that was on its way when the question was taken back is an answer to nothing.
  if (signal.aborted) return 'withdrawn';
  const { outcome } = answer;
  const chosen =
    outcome.outcome === 'selected' ? offered.find((one) => one.decision === outcome.optionId) : undefined;
  return chosen === undefined ? 'left' : { decision: chosen.decision };
}

/** Asks for a text. `left` where the editor cannot, and what it would be is the next message. */
export async function askText(
  { client, sessionId, hasForms }: Seat,
  message: string,
  signal: AbortSignal,
): Promise<{ text: string } | Unanswered> {
  if (!hasForms) return 'left';
  try {
    const answer = await client.request(
      'elicitation/create',
      {
        mode: 'form',
        sessionId,
        message,
        requestedSchema: {
          type: 'object',
          properties: { answer: { type: 'string', title: 'Answer' } },
          required: ['answer'],
        },
      },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    if (signal.aborted) return 'withdrawn';
    const content = answer.action === 'accept' ? (answer['content'] as Record<string, unknown> | null) : null;
    const text = content?.['answer'];
    return typeof text === 'string' ? { text } : 'left';
  } catch {
    return signal.aborted ? 'withdrawn' : 'left';
  }
}
