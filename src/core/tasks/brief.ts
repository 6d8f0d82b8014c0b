import {
  type AgentEvent,
  agentModes,
  type Brief,
  cutTo,
  entrySourceOf,
  entryTypeOf,
  type Phase,
  type TaskContextEntry,
  type TaskState,
} from '../contract/tasks/index.ts';

/** What an agent run of a phase begins with: the same each time it is asked. */
export function agentEvents(state: TaskState, phase: Phase): AgentEvent[] {
  const { task, project, place } = state;
  const { run, mode, agent, given, startedAt: at, resumes } = phase;
  return [
    {
      v: 1,
      type: 'agent-run-begun',
      at,
      run,
      task,
      project,
      place,
      mode,
      agent,
      given,
      brief: briefOf(state, phase),
      ...(resumes === null ? {} : { session: resumes }),
    },
  ];
}

/** What people said, of which an agent that is to act on it is told only what none before it has acted on. */
function saidOn(on: 'plan' | 'branch', { comments, phases }: TaskState, { n, mode }: Phase): string[] {
  const acts = mode === (on === 'plan' ? 'plan_revision' : 'request_changes');
  const before = phases.findLast(
    (one) => acts && one.n < n && one.mode === mode && one.outcome === agentModes[mode].outcome,
  );
  const since = before?.startedAt ?? Number.NEGATIVE_INFINITY;
  return comments.filter((one) => one.on === on && one.at > since).map(commentText);
}

function briefOf(state: TaskState, phase: Phase): Brief {
  const { text, subtasks, plan, review, reviewRounds, answers, context } = state;
  return {
    title: text.title,
    description: text.description,
    kind: text.kind,
    subtasks: [...subtasks],
    plan,
    planComments: saidOn('plan', state, phase),
    reviewComments: [...review, ...saidOn('branch', state, phase)],
    reviewRounds,
    related: phase.given.related,
    answers: [...answers],
    context: [...context],
  };
}

const commentText = ({ line, file, text }: { line: number | null; file: string | null; text: string }) => {
  const at = [file, line].filter((part) => part !== null).join(':');
  return at === '' ? text : `${file === null ? `line ${line}` : at}: ${text}`;
};

/** What later prompts are told of a phase that ended well; null where it said nothing in short. */
export function entryOf({ mode, payload, outcome, run, endedAt }: Phase): TaskContextEntry | null {
  const { summary: field } = agentModes[mode];
  const said = payload?.[field] ?? payload?.summary;
  if (said === undefined || said === '' || outcome === null) return null;
  const comments = outcome === 'changes_requested' ? (payload?.comments ?? []) : [];
  const whole = [said, ...comments.map((comment, at) => `${at + 1}. ${comment}`)].join('\n');
  return {
    run,
    source: entrySourceOf(mode),
    entryType: entryTypeOf(mode, outcome),
    summary: cutTo('summary', whole),
    at: endedAt ?? 0,
  };
}
