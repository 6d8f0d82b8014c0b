import type { Subject } from '../approval.ts';
import type { Blocks } from '../blocks.ts';
import { sha256Hex } from '../canonical.ts';
import type { ModelName } from '../models.ts';
import type { FileChange, Picture, ProcessGroup, Session, StepResult } from '../result.ts';
import type { PerformedAction } from '../run/state.ts';
import type { Actor } from '../stream/actor.ts';
import type { Approval } from '../stream/approvals.ts';
import type { ChildState } from '../stream/child.ts';
import type { Place } from '../stream/place.ts';
import { noSpending, type Spending } from '../stream/spending.ts';
import { freshStream, type StreamState } from '../stream/state.ts';
import { fallbackRequest, type SelfCorrect } from '../tools.ts';
import type { Verdict } from '../verdict.ts';
import type { ChatEventOf, ToolCall, TurnOutcome } from './facts.ts';
import { type ChatOptions, MAX_SELF_CORRECTIONS } from './options.ts';
import type { ChatRequest, GivenPlan } from './requests.ts';

/**
 * One call of a tool.
 *
 *   wanted ──call-judged──▶ judged ──calls-started──▶ running ──call-finished──▶ done
 *     │  ▲                    ▲ │                        │
 *     │  └────call-edited─────┼─┘                        │
 *     └── refused, answered ──┼──── not started ◀────────┴── call-interrupted: unknown ──▶ done, and told so
 */
export interface CallState extends ToolCall {
  status: 'wanted' | 'judged' | 'running' | 'done';
  judged: { verdict: Verdict; subject: Subject; fingerprint: string } | null;
  /** What the model called it with, where a person has changed that. */
  written: ToolCall['args'] | null;
  /** Asked of the person, or begun as a plan. */
  asked: boolean;
  result: StepResult | null;
  /** What the model is told where the result does not say it. */
  text: string | null;
  by: ChatEventOf<'call-finished'>['by'] | null;
  started: { epoch: number; host: string; boot: string } | null;
  spawned: { group: ProcessGroup; heldBefore: boolean | null } | null;
  prepared: readonly FileChange[] | null;
}

/** What the model said once, and the calls that it made. Round 0 has those that the person wrote. */
export interface Round {
  n: number;
  text: string;
  calls: readonly CallState[];
  model: ModelName | null;
  failure: { why: string; message: string } | null;
  /** What the model is told after the results: the request for another way. */
  note: string | null;
}

export interface SelfCorrection {
  n: number;
  callId: string;
  signal: SelfCorrect;
  at: number;
  status: 'tried' | 'succeeded';
}

export interface PlanOutcome {
  run: string;
  state: string;
  reason: string | null;
  agreed: boolean;
  message: string;
  corrections?: number | undefined;
  steps: ChatEventOf<'plan-results'>['steps'];
}

/** One message of the person, and everything that came of it. */
export interface Turn {
  n: number;
  text: string;
  at: number;
  plan: 'always' | 'never' | null;
  /** The plan that it stands for. */
  given?: GivenPlan;
  /** Sent with it. */
  pictures: readonly Picture[];
  considered: Pick<ChatEventOf<'turn-considered'>, 'plan' | 'score' | 'reasons'> | null;
  isCommand: boolean;
  rounds: readonly Round[];
  /** Plans that it began, the tool's too: the first of `children` named after it is its own. */
  plans: readonly PlanOutcome[];
  corrections: readonly SelfCorrection[];
  correctionFailed: SelfCorrect | null;
  /** What it changed lies between these. */
  range: { before: string; after: string | null; late: boolean; epoch: number } | null;
  outcome: TurnOutcome | null;
  message: string | null;
}

export interface ChatApproval extends Approval<Subject> {
  callId: string;
  why: ChatEventOf<'approval-needed'>['why'];
  did: boolean;
}

/**
 * A conversation.
 *
 *   idle ──turn-begun──▶ answering ──▶ waiting (approval, question, plan) ──▶ answering ──turn-ended──▶ idle
 *     └──undo-started──▶ undoing ──turn-undone, undo-failed──▶ idle          idle ──chat-closed──▶ closed
 */
export interface ChatState extends StreamState<ChatRequest> {
  begun: ChatEventOf<'chat-begun'> | null;
  place: Place;
  workspace: string;
  options: ChatOptions | null;
  sealed: readonly string[];
  session: Session;
  /** Turns that have ended, oldest first; those that were undone are gone. */
  past: Blocks<Turn>;
  turn: Turn | null;
  /** How many turns there were, undone ones too: a number is used once. */
  turns: number;
  /** The model is being asked, by the driver of this epoch. */
  thinking: { round: number; epoch: number } | null;
  stoppedBy: Actor | null;
  /** The plan of the open turn is not wanted any more. */
  dropped: Actor | null;
  approvals: readonly ChatApproval[];
  question: { callId: string; text: string } | null;
  children: readonly ChildState[];
  performed: Blocks<PerformedAction>;
  groups: readonly ProcessGroup[];
  hasStrays: boolean;
  undoing: { turn: number; answers: number } | null;
  compacting: number | null;
  /** What came before, in short. Turns up to it are told by it. */
  summary: { upTo: number; text: string | null } | null;
  missingCheckpoint: { turn: number; code: string; message: string; epoch: number } | null;
  spending: Spending;
  closed: boolean;
  createdAt: number;
}

export const initialChatState: ChatState = {
  ...freshStream,
  begun: null,
  place: { host: '', boot: '', workspace: '' },
  workspace: '',
  options: null,
  sealed: [],
  session: { cwd: '', env: {} },
  past: [],
  turn: null,
  turns: 0,
  thinking: null,
  stoppedBy: null,
  dropped: null,
  approvals: [],
  question: null,
  children: [],
  performed: [],
  groups: [],
  hasStrays: false,
  undoing: null,
  compacting: null,
  summary: null,
  missingCheckpoint: null,
  spending: noSpending,
  closed: false,
  createdAt: 0,
};

/** The plan that a turn begins by itself; one that its model asks for is named after the call. */
export const planIdOf = (chat: string, turn: number): string => `${chat}p${turn}`;
export const calledPlanId = (chat: string, callId: string): string => `${chat}p${callId}`;

export const callsOf = (turn: Turn | null): readonly CallState[] =>
  turn?.rounds.flatMap(({ calls }) => calls) ?? [];
/** How often a message was tried in another way, wherever that was: here, or in a plan of its own. */
export const correctionsUsed = ({ corrections, plans }: Pick<Turn, 'corrections' | 'plans'>): number =>
  plans.reduce((sum, plan) => sum + (plan.corrections ?? 0), corrections.length);

/** What was tried in another way for one request, in the seed's shape. */
export interface CorrectionAttempts {
  originalRequest: string;
  attempts: { tool: string; error: string; timestamp: number; fallbackStrategy: string }[];
  maxAttempts: number;
}

/** By the hash of the request, which the journal names it by. */
export function correctionAttemptsOf(state: ChatState): Map<string, CorrectionAttempts> {
  const tracked = new Map<string, CorrectionAttempts>();
  for (const { text, corrections } of turnsOf(state)) {
    if (corrections.length === 0) continue;
    const key = sha256Hex(text);
    const attempts = corrections.map(({ signal, at }) => ({
      tool: signal.originalTool,
      error: signal.originalError,
      timestamp: at,
      fallbackStrategy: fallbackRequest(signal),
    }));
    const before = tracked.get(key)?.attempts ?? [];
    const maxAttempts = state.options?.limits.corrections ?? MAX_SELF_CORRECTIONS;
    tracked.set(key, { originalRequest: text, attempts: [...before, ...attempts], maxAttempts });
  }
  return tracked;
}

/** The pictures of a turn: sent with it, or in the folder and named in it. */
export const picturesOf = (turn: Turn): Picture[] => [
  ...(turn.pictures ?? []),
  ...callsOf(turn).flatMap(({ result }) => result?.picture ?? []),
];
export const callOf = (state: Pick<ChatState, 'turn'>, id: string): CallState | undefined =>
  callsOf(state.turn).find((call) => call.id === id);
export const turnsOf = ({ past, turn }: Pick<ChatState, 'past' | 'turn'>): Turn[] => [
  ...past.flat(),
  ...(turn === null ? [] : [turn]),
];
export const approvalOf = (state: Pick<ChatState, 'approvals'>, callId: string): ChatApproval | undefined =>
  state.approvals.findLast((approval) => approval.callId === callId);

/** What the conversation came to last, for people: the last thing that was said in a turn. */
export function answerOf({ rounds, plans, message }: Turn): string {
  const said = rounds.findLast(({ text }) => text !== '')?.text;
  return said ?? plans.at(-1)?.message ?? message ?? '';
}
