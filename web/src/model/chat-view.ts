import { type ChatState, committed, dollars, type Mode, type Turn } from '@contract';
import { type Meter, short } from './budgets.ts';

/** Plans of the open turn that have not ended, the oldest first. */
export const openPlans = ({ children }: ChatState, { plans }: Turn): string[] =>
  children.filter(({ id, isBegun }) => isBegun && !plans.some(({ run }) => run === id)).map(({ id }) => id);

/** The model call whose text is coming; null where nobody is asked. */
export function openCall({ spending, thinking }: Pick<ChatState, 'spending' | 'thinking'>): string | null {
  if (thinking === null) return null;
  const open = Object.entries(spending.open).filter(([, { interrupted }]) => !interrupted);
  return open.at(-1)?.[0] ?? null;
}

/** What is asked before something is done, by mode. */
export const chatModeMeaning: Record<Mode, string> = {
  teacher: 'Asks before every change: you have it made, or make it yourself',
  planner: 'Asks before the first change of a message, and before what is dangerous',
  agentic: 'Asks before what is dangerous',
};

/** What of the conversation's limits is used. */
export function chatBudgets({ options, spending }: Pick<ChatState, 'options' | 'spending'>): Meter[] {
  if (options === null) return [];
  const { usd, tokens, unpricedTokens } = committed(spending);
  const meter = (name: string, used: number, most: number, text: string): Meter => {
    const share = most <= 0 ? 1 : Math.min(1, used / most);
    return { name, text, used: share, tight: share >= 0.7 };
  };
  const { limits } = options;
  return [
    // Of what has a price, money is what is limited: tokens are told.
    meter(
      'tokens',
      unpricedTokens,
      limits.tokens,
      unpricedTokens > 0 ? `${short(tokens)} / ${short(limits.tokens)}` : short(tokens),
    ),
    meter('spent', usd, limits.money, `${dollars(usd)} / ${dollars(limits.money)}`),
  ];
}

/** What the model of a conversation is doing, in a word; null where it waits for the next message. */
export function chatDoing(state: ChatState): { text: string; tone: 'going' | 'wait' } | null {
  if (state.undoing !== null) return { text: 'Taking back', tone: 'going' };
  if (state.compacting !== null) return { text: 'Summing up', tone: 'going' };
  if (state.turn === null) return null;
  if (state.stoppedBy !== null) return { text: 'Stopping', tone: 'going' };
  if (state.approvals.some(({ status }) => status === 'needed'))
    return { text: 'Waits for your decision', tone: 'wait' };
  if (state.question !== null) return { text: 'Waits for your answer', tone: 'wait' };
  if (state.children.some(({ ended }) => ended === null))
    return { text: 'A plan is made or run', tone: 'going' };
  return { text: state.thinking === null ? 'Working' : 'Thinking', tone: 'going' };
}
