import {
  indexOfStep,
  itemAt,
  judgementOf,
  type RiskLevel,
  type RunState,
  type Step,
  type StepState,
} from '@contract';
import { capital, correctionWords, failureNote, openQuestion, stepNote } from '@told';
import type { Attempt, Chronicle } from './chronicle.ts';
import { tookOf } from './items.ts';
import { riskOf } from './risk.ts';
import type { SpineRow } from './spine.ts';

export type RowState =
  | 'pending'
  | 'running'
  | 'waiting'
  | 'thinking'
  | 'done'
  | 'failed'
  | 'skipped'
  | 'interrupted';

/** All that one row of the spine shows. The same object as long as nothing of it has changed. */
export interface RowView {
  row: SpineRow;
  title: string;
  state: RowState;
  /** After the title: what is special about it. */
  note: string | null;
  risk: RiskLevel | null;
  machine: boolean;
  /** Finished: how long it took. Running: since when. */
  durationMs: number | null;
  since: number | null;
  progress: { done: number; count: number } | null;
}

interface Facts {
  step: Step;
  state: StepState;
  attempts: readonly Attempt[];
  waiting: boolean;
  thinking: boolean;
  risk: RiskLevel | null;
  view: RowView;
}

/** Remembers rows by what they were made of, so that only rows of which a fact changed are drawn again. */
export class RowViews {
  private readonly cache = new Map<string, Facts>();

  of(row: SpineRow, run: RunState, chronicle: Chronicle, preview: ReadonlyMap<string, RiskLevel>): RowView {
    const at = indexOfStep(run.plan, row.stepId);
    const step = run.plan!.steps[at]!;
    const state = itemAt(run.steps, at)!;
    const attempts = chronicle.attempts(row.stepId);
    const waiting = openQuestion(run)?.stepId === row.stepId;
    const thinking = run.thinking?.stepId === row.stepId;
    const verdict = judgementOf(run, row.stepId)?.verdict ?? chronicle.judged(row.stepId)?.verdict;
    const risk = verdict === undefined ? (preview.get(row.stepId) ?? null) : riskOf(verdict);
    const known = this.cache.get(row.key);
    if (
      known?.step === step &&
      known.state === state &&
      known.attempts === attempts &&
      known.waiting === waiting &&
      known.thinking === thinking &&
      known.risk === risk &&
      same(known.view.row, row)
    )
      return known.view;
    const view = rowView(row, run, { step, state, attempts, waiting, thinking, risk });
    this.cache.set(row.key, { step, state, attempts, waiting, thinking, risk, view });
    return view;
  }
}

const same = (a: SpineRow, b: SpineRow) =>
  a === b ||
  (a.from === b.from &&
    a.to === b.to &&
    a.number === b.number &&
    a.mend === b.mend &&
    a.again === b.again &&
    a.lane === b.lane);

function rowView(row: SpineRow, run: RunState, facts: Omit<Facts, 'view'>): RowView {
  const { step, state, attempts, risk } = facts;
  const machine = row.lane === 1 && row.mend?.correction.source.brain !== 'person';
  const base = { row, title: step.title, risk, machine, durationMs: null, since: null, progress: null };
  if (row.kind === 'mend') {
    const { mend } = row;
    const title = mend === null ? 'Mended' : capital(correctionWords(mend.correction));
    const state = mend?.status === 'failed' ? 'failed' : mend?.status === 'proposed' ? 'thinking' : 'done';
    return { ...base, title, state, risk: null, note: null };
  }
  if (row.attempt !== null) {
    const attempt = attempts.find(({ index }) => index === row.attempt);
    const result = attempt?.result ?? null;
    const durationMs = result?.durationMs ?? null;
    return { ...base, risk: attempt?.risk ?? risk, state: 'failed', note: failureNote(result), durationMs };
  }
  const { loop } = state;
  const progress = loop === null || state.status === 'done' ? null : { done: loop.done, count: loop.count };
  const shown: RowState = facts.thinking ? 'thinking' : facts.waiting ? 'waiting' : state.status;
  return {
    ...base,
    state: shown,
    note: stepNote(step, state, run) || (row.again ? 'again' : null),
    durationMs: tookOf(state, attempts),
    since: state.status === 'running' ? state.startedAt : null,
    progress,
  };
}
