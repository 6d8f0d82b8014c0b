import type { Action } from './action.ts';
import { innermost, isLoop, shellText } from './action-words.ts';
import type { ShownStep } from './approval.ts';
import type { Proposal } from './facts/planning.ts';
import type { Step } from './plan.ts';
import type { RunState } from './run/state.ts';
import { toolReads } from './tools.ts';
import { type RiskLevel, riskLevels } from './verdict.ts';

/** What a step is for, in one word: by what it does. */
export type StepKind =
  | 'ANALYZE'
  | 'REFACTOR'
  | 'WRITE'
  | 'DELETE'
  | 'VALIDATE'
  | 'TEST'
  | 'RUN'
  | 'SERVE'
  | 'ASK';

/** How long something will take. `isKnown`: it was measured before; otherwise it is a guess by its kind. */
export interface Estimate {
  ms: number;
  isKnown: boolean;
}

export interface ProposedStep {
  stepId: string;
  title: string;
  kind: StepKind;
  /** Null: it waits for a person. */
  time: Estimate | null;
  /** Null where it was not judged, because it is over. */
  level: RiskLevel | null;
}

/** A plan as it is presented to whoever decides on it: the same at every door. `told` has the words. */
export interface ProposedPlan {
  intent: string;
  level: RiskLevel;
  /** Of all steps that wait for nobody. */
  time: Estimate;
  /** What its steps would change, relative to the workspace where it lies in it. */
  files: string[];
  steps: ProposedStep[];
}

/** `shown`: the steps as they were judged just now (`GET /runs/:id/preview`). Null where there is no plan yet. */
export function proposedPlan(
  { plan, planning, workspace }: Pick<RunState, 'plan' | 'planning' | 'workspace'>,
  shown: readonly ShownStep[],
): ProposedPlan | null {
  if (plan === null) return null;
  const judged = new Map(shown.map((each) => [each.subject.stepId, each]));
  const took = planning?.proposal?.took ?? {};
  const steps = plan.steps.map((step) => ({
    stepId: step.id,
    title: step.title,
    kind: stepKind(step),
    time: timeOf(step, took),
    level: judged.get(step.id)?.verdict.level ?? null,
  }));
  const changing = shown.filter(({ verdict }) => verdict.level !== 'safe');
  const paths = new Set(changing.flatMap(({ subject }) => subject.paths.filter(isKept)));
  return {
    intent: plan.goal,
    // What nobody has judged yet is not called safe.
    level: worst(steps.map(({ level }) => level ?? 'caution')),
    time: sum(steps.flatMap(({ time }) => time ?? [])),
    files: [...paths].map((path) =>
      path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path,
    ),
    steps,
  };
}

/** Devices keep nothing. */
const isKept = (path: string): boolean => !path.startsWith('/dev/');

const worst = (levels: readonly RiskLevel[]): RiskLevel =>
  riskLevels.findLast((level) => levels.includes(level)) ?? 'safe';

const sum = (times: readonly Estimate[]): Estimate => ({
  ms: times.reduce((total, { ms }) => total + ms, 0),
  isKnown: times.every(({ isKnown }) => isKnown),
});

const ofCommands: Partial<Record<StepKind, number>> = {
  ANALYZE: 1000,
  VALIDATE: 10_000,
  TEST: 30_000,
};
const ofFiles = 100;

function timeOf(step: Step, took: NonNullable<Proposal['took']>): Estimate | null {
  const kind = stepKind(step);
  if (kind === 'ASK') return null;
  const before = took[step.id];
  if (before !== undefined) return { ms: before, isKnown: true };
  const times = step.action.kind === 'repeat' ? step.action.times : 1;
  const once = shellText(step.action) === null ? ofFiles : (ofCommands[kind] ?? 5000);
  return { ms: once * times, isKnown: false };
}

const ofText: readonly [RegExp, StepKind][] = [
  [/\b(?:tests?|vitest|jest|pytest|mocha|spec)\b/, 'TEST'],
  [/\b(?:lint|tsc|eslint|check|validate|biome|ruff|mypy|verify)\b/, 'VALIDATE'],
  [/^\s*(?:ls|cat|grep|rg|find|head|tail|wc|git (?:status|log|diff|show))\b/, 'ANALYZE'],
];

const ofAction: Partial<Record<Action['kind'], StepKind>> = {
  'read-file': 'ANALYZE',
  'list-files': 'ANALYZE',
  'edit-file': 'REFACTOR',
  'move-path': 'REFACTOR',
  'copy-path': 'REFACTOR',
  'write-file': 'WRITE',
  'append-file': 'WRITE',
  'create-dir': 'WRITE',
  'delete-path': 'DELETE',
  start: 'SERVE',
  stop: 'SERVE',
  ask: 'ASK',
  manual: 'ASK',
};

/** A label for people, never a judgement: what a command does is for the judge to say. */
export function stepKind({ action }: Pick<Step, 'action'>): StepKind {
  const one = isLoop(action) ? innermost(action) : action;
  if (one.kind === 'call-tool') return toolReads(one.tool) ? 'ANALYZE' : 'REFACTOR';
  const text = ofAction[one.kind] === undefined ? (shellText(one) ?? '') : '';
  return ofAction[one.kind] ?? ofText.find(([words]) => words.test(text))?.[1] ?? 'RUN';
}
