import { z } from 'zod';
import { AgentMode } from './modes.ts';

/** A task goes back to where it was before. */
export const PREVIOUS = '$previous';

/** What has to hold for a transition, besides its trigger. */
export const Guard = z.enum([
  /** The tasks that it depends on are through. */
  'dependencies-done',
  'has-plan',
  'has-plan-comments',
  'has-review-comments',
  /** Fewer reviews than the project allows have asked for changes. */
  'review-rounds-left',
  'is-feature',
  'is-bug',
]);
export type Guard = z.infer<typeof Guard>;

/** `merged` and `answered` are what Planwright itself does to a task. */
export const SystemEvent = z.enum(['merged', 'answered']);
export type SystemEvent = z.infer<typeof SystemEvent>;

const Name = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]*$/,
    'a status has small letters, digits, dashes and underscores, and begins with a letter',
  );

export const TaskStatus = z.strictObject({
  name: Name,
  title: z.string().min(1),
  /** `open`: nothing is done yet; `working`: an agent is at it; `waiting`: a person is asked; `ended`: for good. */
  kind: z
    .enum(['open', 'working', 'waiting', 'ended'])
    .describe(
      'open: nothing is done yet; working: an agent is at it; waiting: for a person; ended: for good.',
    ),
  /** Of `working`: an agent is started in this mode when the task comes here. */
  mode: AgentMode.optional().describe('Of working: what the agent is started in when the task comes here.'),
});
export type TaskStatus = z.infer<typeof TaskStatus>;

export const Trigger = z.discriminatedUnion('type', [
  /** A person moves it; `title` is what the button says. */
  z.strictObject({ type: z.literal('manual'), title: z.string().min(1) }),
  z.strictObject({ type: z.literal('agent'), outcome: z.string().min(1) }),
  z.strictObject({ type: z.literal('system'), event: SystemEvent }),
]);
export type Trigger = z.infer<typeof Trigger>;

export const Transition = z.strictObject({
  from: z.array(Name).min(1),
  to: z
    .union([Name, z.literal(PREVIOUS)])
    .describe(`A status, or ${PREVIOUS}: where an agent was at work last.`),
  trigger: Trigger,
  guards: z.array(Guard).default([]).describe('What has to hold besides.'),
});
export type Transition = z.infer<typeof Transition>;

/** The way of a task, as data. Where several transitions fit, the first one counts. */
export const Pipeline = z
  .strictObject({
    name: z.string().min(1),
    initial: Name.describe('The status that a task begins in.'),
    statuses: z.array(TaskStatus).min(1),
    transitions: z.array(Transition),
  })
  .superRefine((pipeline, context) => {
    for (const message of problemsOf(pipeline)) context.addIssue({ code: 'custom', message });
  });
export type Pipeline = z.infer<typeof Pipeline>;

interface Draft {
  initial: string;
  statuses: readonly TaskStatus[];
  transitions: readonly Transition[];
}

/** What does not fit together, in words; nothing where all is well. */
function problemsOf({ initial, statuses, transitions }: Draft): string[] {
  const problems: string[] = [];
  const names = new Set(statuses.map(({ name }) => name));
  if (names.size < statuses.length) problems.push('two statuses have the same name');
  if (!names.has(initial)) problems.push(`there is no status ${initial} to begin with`);
  for (const { name, kind, mode } of statuses) {
    if ((kind === 'working') !== (mode !== undefined))
      problems.push(`${name}: a status has a mode where an agent works in it, and only there`);
    const leaves = transitions.filter(({ from }) => from.includes(name));
    if (kind === 'ended' && leaves.length > 0) problems.push(`${name} is the end, and something leads on`);
    if (kind !== 'ended' && leaves.length === 0) problems.push(`nothing leads on from ${name}`);
    if (kind !== 'working') continue;
    for (const outcome of ['failed', 'interrupted'])
      if (!leaves.some(({ trigger }) => trigger.type === 'agent' && trigger.outcome === outcome))
        problems.push(
          `${name} says nothing about an agent that ${outcome === 'failed' ? 'fails' : 'is interrupted'}`,
        );
  }
  for (const { from, to } of transitions)
    for (const name of [...from, ...(to === PREVIOUS ? [] : [to])])
      if (!names.has(name)) problems.push(`there is no status ${name}`);
  const reached = reachable(initial, transitions);
  for (const { name } of statuses) if (!reached.has(name)) problems.push(`nothing leads to ${name}`);
  return problems;
}

function reachable(initial: string, transitions: readonly Transition[]): Set<string> {
  const reached = new Set([initial]);
  for (let before = 0; before < reached.size; ) {
    before = reached.size;
    for (const { from, to } of transitions)
      if (to !== PREVIOUS && from.some((name) => reached.has(name))) reached.add(to);
  }
  return reached;
}

export const statusOf = (pipeline: Pick<Pipeline, 'statuses'>, name: string): TaskStatus | undefined =>
  pipeline.statuses.find((status) => status.name === name);

/** Where a task goes if it is merged; null where it cannot be, as it is. */
export function mergedTo({
  status,
  pipeline,
}: {
  status: string;
  pipeline: Pick<Pipeline, 'transitions'> | null;
}): string | null {
  const found = pipeline?.transitions.find(
    ({ from, to, trigger }) =>
      from.includes(status) && to !== PREVIOUS && trigger.type === 'system' && trigger.event === 'merged',
  );
  return found?.to ?? null;
}
