import {
  type Guard,
  PREVIOUS,
  type SystemEvent,
  statusOf,
  type TaskState,
  type TaskWay,
  type Transition,
} from '../contract/tasks/index.ts';

/** What a guard cannot see in the task itself. */
export interface AroundTask {
  /** Tasks that it depends on and that are not through; null where nobody has looked. */
  openDependencies: readonly string[] | null;
}

const nobodyLooked: AroundTask = { openDependencies: null };

/** Why a guard stands in the way; null where it does not. What nobody has looked at stands in nobody's way. */
const guards: Record<Guard, (state: TaskState, around: AroundTask) => string | null> = {
  'dependencies-done': (_, { openDependencies }) =>
    openDependencies === null || openDependencies.length === 0
      ? null
      : `it depends on ${openDependencies.join(', ')}`,
  'has-plan': ({ plan }) => (plan === null ? 'it has no plan yet' : null),
  'has-plan-comments': ({ comments }) =>
    comments.some(({ on, told }) => on === 'plan' && !told)
      ? null
      : 'nobody has commented on the plan since it was made',
  'has-review-comments': ({ comments, review }) =>
    review.length > 0 || comments.some(({ on, told }) => on === 'branch' && !told)
      ? null
      : 'nobody has said what is to be changed',
  'review-rounds-left': ({ reviewRounds, created }) =>
    reviewRounds <= (created?.maxReviewRounds ?? 0)
      ? null
      : `${reviewRounds} reviews have asked for changes: a person has to look`,
  'is-feature': ({ text }) => (text.kind === 'feature' ? null : 'it is a bug'),
  'is-bug': ({ text }) => (text.kind === 'bug' ? null : 'it is a feature'),
};

const against = (state: TaskState, { guards: needed }: Transition, around: AroundTask): string | null =>
  needed.map((guard) => guards[guard](state, around)).find((reason) => reason !== null) ?? null;

/** Where the transition leads from here; null where the way back leads nowhere. */
const target = ({ previous, pipeline }: TaskState, { to }: Transition): string | null => {
  const name = to === PREVIOUS ? previous : to;
  return pipeline !== null && statusOf(pipeline, name) !== undefined ? name : null;
};

const leaving = ({ pipeline, status }: TaskState): readonly Transition[] =>
  pipeline?.transitions.filter(({ from }) => from.includes(status)) ?? [];

/**
 * Where a person may move the task, in the pipeline's order. Where an agent came to something that the pipeline does not
 * know, the person says where that leads: to where the outcomes that it knows lead, or to the same once more.
 */
export function waysOn(state: TaskState, around: AroundTask = nobodyLooked): TaskWay[] {
  const isLost = state.unknownOutcome !== null;
  const ways = leaving(state).flatMap((transition): TaskWay[] => {
    const { trigger } = transition;
    const to = target(state, transition);
    if (to === null || (trigger.type !== 'manual' && !(isLost && trigger.type === 'agent'))) return [];
    return [
      {
        to,
        title: trigger.type === 'manual' ? trigger.title : (statusOf(state.pipeline!, to)?.title ?? to),
        against: against(state, transition, around),
        needsDependencies: transition.guards.includes('dependencies-done'),
      },
    ];
  });
  if (!isLost) return ways;
  const again: TaskWay = { to: state.status, title: 'Try again', against: null, needsDependencies: false };
  return [again, ...ways.filter(({ to }, at) => ways.findIndex((way) => way.to === to) === at)];
}

/** Where what an agent came to leads; null where nothing in the pipeline is about it. */
export const tryOutcomeTransition = (state: TaskState, outcome: string): string | null =>
  firstTo(state, ({ trigger }) => trigger.type === 'agent' && trigger.outcome === outcome);

export const systemTransition = (state: TaskState, event: SystemEvent): string | null =>
  firstTo(state, ({ trigger }) => trigger.type === 'system' && trigger.event === event);

function firstTo(state: TaskState, isMeant: (transition: Transition) => boolean): string | null {
  const found = leaving(state).find(
    (transition) => isMeant(transition) && against(state, transition, nobodyLooked) === null,
  );
  return found === undefined ? null : target(state, found);
}
