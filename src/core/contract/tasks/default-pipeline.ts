import type { Pipeline, Transition } from './pipeline.ts';

const working = ['planning', 'revising', 'investigating', 'implementing', 'reviewing', 'changing'];
const changing = ['implementing', 'changing'];

const agent = (from: string[], outcome: string, to: string): Transition => ({
  from,
  to,
  trigger: { type: 'agent', outcome },
  guards: [],
});
const manual = (from: string[], to: string, title: string, ...guards: Transition['guards']): Transition => ({
  from,
  to,
  trigger: { type: 'manual', title },
  guards,
});

/**
 *   open ─▶ planning ─▶ plan ready ─▶ implementing ─▶ reviewing ─▶ ready ─▶ merged
 *     │      ▲  ▲          │ ▲             ▲            │   ▲
 *     │      │  └ revising ◀─┘             │            ▼   │
 *     └─▶ investigating ───┘               └───────── changing
 *
 *   any of an agent ──▶ needs info ──answered──▶ where it was          any of an agent ──▶ stuck ──▶ where it was
 */
export const defaultPipeline: Pipeline = {
  name: 'default',
  initial: 'open',
  statuses: [
    { name: 'open', title: 'Open', kind: 'open' },
    { name: 'planning', title: 'Planning', kind: 'working', mode: 'plan' },
    { name: 'investigating', title: 'Investigating', kind: 'working', mode: 'investigate' },
    { name: 'plan_ready', title: 'Plan ready', kind: 'waiting' },
    { name: 'revising', title: 'Revising', kind: 'working', mode: 'plan_revision' },
    { name: 'implementing', title: 'Implementing', kind: 'working', mode: 'implement' },
    { name: 'reviewing', title: 'Reviewing', kind: 'working', mode: 'review' },
    { name: 'changing', title: 'Making changes', kind: 'working', mode: 'request_changes' },
    { name: 'needs_info', title: 'Needs info', kind: 'waiting' },
    { name: 'stuck', title: 'Stuck', kind: 'waiting' },
    { name: 'ready', title: 'Ready', kind: 'waiting' },
    { name: 'merged', title: 'Merged', kind: 'ended' },
    { name: 'closed', title: 'Closed', kind: 'ended' },
  ],
  transitions: [
    manual(['open'], 'planning', 'Plan it', 'is-feature', 'dependencies-done'),
    manual(['open'], 'investigating', 'Investigate it', 'is-bug', 'dependencies-done'),
    manual(['open', 'plan_ready'], 'implementing', 'Implement it', 'dependencies-done'),
    manual(['plan_ready'], 'revising', 'Revise the plan', 'has-plan-comments'),
    agent(['planning', 'revising'], 'plan_complete', 'plan_ready'),
    agent(['investigating'], 'investigation_complete', 'plan_ready'),
    agent(changing, 'pr_ready', 'reviewing'),
    agent(changing, 'no_changes', 'stuck'),
    agent(changing, 'validation_failed', 'stuck'),
    agent(['reviewing'], 'approved', 'ready'),
    { ...agent(['reviewing'], 'changes_requested', 'changing'), guards: ['review-rounds-left'] },
    agent(['reviewing'], 'changes_requested', 'stuck'),
    agent(working, 'needs_info', 'needs_info'),
    agent(working, 'failed', 'stuck'),
    agent(working, 'interrupted', 'stuck'),
    agent(working, 'stopped', 'stuck'),
    { from: ['needs_info'], to: '$previous', trigger: { type: 'system', event: 'answered' }, guards: [] },
    manual(['stuck', 'needs_info'], '$previous', 'Try again'),
    manual(['stuck'], 'ready', 'Take it as it is'),
    manual(['ready', 'stuck'], 'changing', 'Ask for changes', 'has-review-comments'),
    manual(['ready'], 'reviewing', 'Review it again'),
    { from: ['ready'], to: 'merged', trigger: { type: 'system', event: 'merged' }, guards: [] },
    manual(['open', 'plan_ready', 'needs_info', 'stuck', 'ready'], 'closed', 'Close it'),
  ],
};
