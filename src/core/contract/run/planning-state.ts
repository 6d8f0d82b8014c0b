import type {
  PlannerCall,
  PlannerChain,
  PlanningCause,
  Proposal,
  RejectionReason,
} from '../facts/planning.ts';
import type { ModelName } from '../models.ts';
import type { Mode, Shell } from '../plan.ts';

/**
 * How a goal becomes a plan, as the journal tells it. One model call is one effect; `next` decides which by this
 * state alone.
 *
 *   goal-given ─▶ restate ──goal-restated──▶ plan ──draft-received──▶ draft-unreadable ─▶ repair (once)
 *                                             ▲ ▲                  ├▶ planning-question ─▶ (a person) planning-answered
 *                                             │ └──────────────────┘                                     │
 *                          hints-given ◀─ reflect ◀─ draft-rejected       plan-proposed ─▶ plan-created   │
 *                                 └──────────▶ plan (next model after 3) ◀────────────────────────────────┘
 *
 * `feedback-given` sets a planned run planning again; `plan-revised` ends that. `planning-failed` leaves the best draft.
 */
export interface PlanningState {
  goal: string;
  chain: PlannerChain;
  /** What the plan is to be written in. */
  shell: Shell;
  /** Somebody stays to agree on it. */
  attended: boolean;
  /** Another stream waits for its end: it does not wait where no plan comes of it. */
  isAwaited?: true;
  /** The mode that agreeing step by step took the place of. */
  steppedFrom: Mode | null;
  /** False once a plan was proposed or planning was given up. */
  active: boolean;
  restated: boolean;
  restatement: string | null;
  /** Which model of each chain is asked next; past the end, none is left. */
  position: { planner: number; fast: number };
  /** Rejections by the model at `position.planner`. */
  strikes: number;
  /** Drafts asked for since planning began, was resumed, or was begun anew by feedback. */
  asked: number;
  drafts: readonly DraftState[];
  hints: readonly string[];
  /** Rejections are reflected on once: the number of the draft that the hints are about. */
  reflectedOn: number;
  /** What the planner wants to know, and has not been told yet. */
  question: string | null;
  answers: readonly { question: string; answer: string | null }[];
  feedback: readonly { stepId: string; step: string; reason: string }[];
  /** Calls that failed, newest last. */
  failures: readonly { call: PlannerCall; model: ModelName; why: string; message: string }[];
  inFlight: { call: PlannerCall; n: number; model: ModelName; epoch: number; startedAt: number } | null;
  proposal: Proposal | null;
  failed: { cause: PlanningCause; message: string; best: number | null; problems: RejectionReason[] } | null;
}

export interface DraftState {
  n: number;
  model: ModelName;
  raw: string;
  digest: string;
  durationMs: number;
  status: 'received' | 'unreadable' | 'rejected' | 'asking' | 'proposed';
  /** The model was asked to write it again. */
  repairing: boolean;
  how: readonly string[];
  reasons: readonly RejectionReason[];
}
