import {
  type Action,
  defaultOptions,
  evolve,
  type FactBody,
  hashPlan,
  initialRunState,
  type Plan,
  type RequestBody,
  type RunEvent,
  type RunOptions,
  type RunState,
  type Step,
  type StepResult,
  type StoredEvent,
  type Verdict,
  type WrittenAction,
} from '../index.ts';

/** A run told event by event, at times that the teller chooses: what the tests and the drawn fixtures show. */
export interface Story {
  readonly events: readonly StoredEvent[];
  readonly state: RunState;
  readonly now: number;
  /** Lets time pass. */
  wait(ms: number): Story;
  tell(...facts: FactBody[]): Story;
  ask(request: RequestBody): Story;
  agree(): Story;
  start(number: number): Story;
  finish(number: number, ms: number): Story;
  fail(number: number, ms: number, result: Partial<StepResult>): Story;
}

export const epoch = 1794708840000;

export const command = (text: string): WrittenAction => ({ kind: 'run-command', command: text });

export const printAction = (action: Action): string =>
  action.kind === 'run-command'
    ? `RUN_COMMAND ${action.command}`
    : `${action.kind} ${JSON.stringify(action)}`;

export const makePlan = (goal: string, steps: (Partial<Step> & { title: string })[]): Plan => ({
  goal,
  shell: 'bash',
  revision: 0,
  steps: steps.map((step, index) => ({ id: `s${index + 1}`, action: command('true'), ...step })),
});

export const succeeded: StepResult = {
  exitCode: 0,
  signal: null,
  durationMs: 0,
  expectation: null,
  stdoutTail: '',
  stderrTail: '',
  outputBytes: 0,
  outputTruncated: false,
  leftover: false,
};

export const dangerous: Verdict = {
  level: 'dangerous',
  reasons: [{ rule: 'find-delete', level: 'dangerous', sentence: 'Deletes files.' }],
  reversible: false,
  needs: [],
  paths: [],
};

export function tellStory(plan: Plan, options: Partial<RunOptions> = {}): Story {
  const events: StoredEvent[] = [];
  let state = initialRunState;
  let now = epoch;
  const append = (event: RunEvent) => {
    const stored = { stream: '0193a7c2-run', seq: events.length + 1, event };
    events.push(stored);
    state = evolve(state, stored);
  };
  const idOf = (number: number) => plan.steps[number - 1]!.id;
  const attemptOf = (number: number) =>
    Math.max(0, (state.steps.find(({ id }) => id === idOf(number))?.attempts ?? 1) - 1);
  const story: Story = {
    get events() {
      return events;
    },
    get state() {
      return state;
    },
    get now() {
      return now;
    },
    wait(ms) {
      now += ms;
      return story;
    },
    tell(...facts) {
      for (const fact of facts) append({ v: 1, at: now, ...fact } as RunEvent);
      return story;
    },
    ask(request) {
      append({
        v: 1,
        at: now,
        key: `k${events.length}`,
        by: { person: 'ana', door: 'library' },
        ...request,
      } as RunEvent);
      return story;
    },
    agree() {
      story.ask({ type: 'plan-decided', revision: 0, decision: 'all' });
      return story.tell({ type: 'plan-confirmed', revision: 0, answers: events.length });
    },
    start(number) {
      const stepId = idOf(number);
      const attemptIndex = state.steps.find(({ id }) => id === stepId)?.attempts ?? 0;
      const { session } = state;
      return story.tell({
        type: 'step-started',
        stepId,
        attemptIndex,
        revision: 0,
        fingerprint: 'f',
        cwd: session.cwd,
        deadline: null,
      });
    },
    finish(number, ms) {
      now += ms;
      const result = { ...succeeded, durationMs: ms };
      const attempt = { stepId: idOf(number), attemptIndex: attemptOf(number) };
      return story.tell({ type: 'step-completed', ...attempt, result, by: 'driver' });
    },
    fail(number, ms, result) {
      now += ms;
      const attempt = { stepId: idOf(number), attemptIndex: attemptOf(number) };
      return story.tell({
        type: 'step-failed',
        ...attempt,
        result: { ...succeeded, exitCode: 1, why: 'exit-code', durationMs: ms, ...result },
      });
    },
  };
  return story.tell({
    type: 'plan-created',
    plan,
    hash: hashPlan(plan),
    place: { host: 'h', boot: 'b', workspace: '/home/ada/work/docs-site' },
    options: { ...defaultOptions, ...options },
  });
}

export const docsPlan = (): Plan => {
  const line = (n: number) => ({ file: 'docs.plan.yaml', line: n, endLine: n + 2 });
  return makePlan('Build the docs site, serve it on 8080 and check every page', [
    {
      title: 'Make the output folder',
      action: command('mkdir -p out'),
      expects: 'dir exists out',
      source: line(4),
    },
    {
      title: 'Install dependencies',
      action: command('npm ci --no-audit --no-fund'),
      expects: 'dir exists node_modules',
      undo: command('rm -rf node_modules'),
      source: line(8),
    },
    { title: 'Lint the Markdown', action: command('npx markdownlint "docs/**/*.md"'), source: line(12) },
    {
      title: 'Render pages',
      action: command('node scripts/render.mjs docs out'),
      after: ['s1', 's2'],
      source: line(15),
    },
    {
      title: 'Publish into build/',
      action: command('cp -r out/. build/ && ./scripts/fingerprint.sh build/assets'),
      after: ['s4'],
      source: line(19),
    },
    {
      title: 'Serve build/ on port 8080',
      action: command('python3 -m http.server 8080 -d build'),
      source: line(24),
    },
    {
      title: 'Check that every page answers',
      action: command('./scripts/check-links.sh'),
      after: ['s6'],
      source: line(28),
    },
    {
      title: 'Write the report',
      action: command('node scripts/report.mjs > report.md'),
      expects: 'file exists report.md',
      source: line(32),
    },
    {
      title: 'Tell the docs channel by hand',
      action: command('cat report.md'),
      interactive: true,
      source: line(36),
    },
  ]);
};
