import type { ToolCallContent, ToolCallStatus } from '@agentclientprotocol/sdk';
import {
  judgementOf,
  planStep,
  type RunState,
  type StepResult,
  type StoredEvent,
} from '../../core/contract/index.ts';
import { sentenceOf, visible } from '../../core/contract/told/index.ts';
import type { RunWatcher } from '../app/follow.ts';
import { actionBlock, fenced, kindOf, locationsOf, planOf, printed, textContent } from './cards.ts';
import type { Teller } from './tell.ts';

/** The card of one attempt: the question about it, its output and what came of it are one. */
export const stepCard = (run: string, stepId: string, attemptIndex: number): string =>
  `${run}:${stepId}:${attemptIndex}`;

/** What is shown of a card's output: the end of it. */
const SHOWN = 16_000;

/**
 * Tells an editor what happens in a plan run: its plan with the states of the steps, and a card for each attempt. What it is
 * given has its secrets hidden already. `diffs` are those that were seen of a card.
 */
export function runTeller(
  run: string,
  teller: Teller,
  diffs: (card: string) => ToolCallContent[],
): RunWatcher {
  let plan = '';
  let thought = '';
  let open: { card: string; head: string; output: string } | null = null;
  let decoder = new TextDecoder();
  const tellPlan = (state: RunState) =>
    teller.soon(`${run}:plan`, () => {
      const now = planOf(state);
      const text = JSON.stringify(now);
      if (now === null || text === plan) return null;
      plan = text;
      return { sessionUpdate: 'plan', ...now };
    });
  const tellThought = (state: RunState) => {
    const { text, tone } = sentenceOf(state);
    if (tone !== 'mind' || text === thought) return;
    thought = text;
    teller.think(`${visible(text)}.`);
  };
  const begin = (state: RunState, stepId: string, attemptIndex: number) => {
    const step = planStep(state, stepId);
    if (step === undefined) return;
    const { subject } = judgementOf(state, stepId) ?? {};
    const action = subject?.action ?? step.action;
    const card = stepCard(run, stepId, attemptIndex);
    // The items of a loop are one card.
    if (open?.card === card) return;
    open = { card, head: actionBlock(action), output: '' };
    decoder = new TextDecoder();
    teller.tell({
      sessionUpdate: 'tool_call',
      toolCallId: card,
      title: visible(step.title),
      kind: kindOf(action),
      status: 'in_progress',
      content: [textContent(open.head)],
      locations: locationsOf(action, subject?.cwd ?? state.session.cwd, subject?.paths),
    });
  };
  const end = (card: string, status: ToolCallStatus, result: StepResult | null, message?: string) => {
    const head = open?.card === card ? open.head : '';
    const tails = [result?.stdoutTail ?? '', result?.stderrTail ?? '']
      .filter((text) => text !== '')
      .join('\n');
    const output = open?.card === card && open.output !== '' ? open.output : tails;
    const said = message ?? (result?.why === undefined ? undefined : (result.message ?? result.why));
    teller.tell({
      sessionUpdate: 'tool_call_update',
      toolCallId: card,
      status,
      content: [...contentOf(head, output, said), ...diffs(card)],
    });
    if (open?.card === card) open = null;
  };
  return {
    event({ event }: StoredEvent, state) {
      if (/^(?:step|plan|run|item)-/.test(event.type)) tellPlan(state);
      tellThought(state);
      switch (event.type) {
        case 'step-started':
          return begin(state, event.stepId, event.attemptIndex);
        case 'step-completed':
          return end(stepCard(run, event.stepId, event.attemptIndex), 'completed', event.result);
        case 'step-failed':
          return end(stepCard(run, event.stepId, event.attemptIndex), 'failed', event.result);
        case 'step-interrupted':
          return end(stepCard(run, event.stepId, event.attemptIndex), 'failed', null, event.detail);
        case 'request-refused':
          return teller.say(visible(event.message));
        default:
      }
    },
    output(bytes) {
      if (open === null) return;
      const now = open;
      now.output = (now.output + decoder.decode(bytes, { stream: true })).slice(-SHOWN);
      teller.soon(now.card, () => ({
        sessionUpdate: 'tool_call_update',
        toolCallId: now.card,
        content: contentOf(now.head, now.output),
      }));
    },
  };
}

export function contentOf(head: string, output: string, said?: string): ToolCallContent[] {
  const parts = [
    head,
    output === '' ? '' : fenced(printed(output.slice(-SHOWN))),
    said === undefined ? '' : printed(said),
  ];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return text === '' ? [] : [textContent(text)];
}
