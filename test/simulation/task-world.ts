import { isDeepStrictEqual } from 'node:util';
import type { Actor, StoredEvent, StreamRow } from '../../src/core/contract/index.ts';
import {
  type AgentEvent,
  type AgentFact,
  type AgentRunState,
  activePhase,
  agentModes,
  defaultPipeline,
  MergeHow,
  statusOf,
  type TaskEvent,
  type TaskFact,
  type TaskRequestBody,
  type TaskState,
} from '../../src/core/contract/tasks/index.ts';
import { projectRow } from '../../src/core/stream/index.ts';
import {
  type AgentPorts,
  createAgentMachine,
  createTaskMachine,
  type TaskPorts,
  waysOn,
} from '../../src/core/tasks/index.ts';
import { agentRunKind, taskKind } from '../../src/core/tasks/kinds.ts';
import { awaitsFrom, endsWith } from '../../src/world/store/listing-rules.ts';
import { SimulatedJournal } from './journal.ts';
import { broken, promise, promiseSnapshots } from './promise.ts';
import { createRandom, type Random } from './random.ts';
import { driveLife, type Life, microtasks, randomFault, SimulatedTime } from './stage.ts';

type TaskMachine = ReturnType<typeof createTaskMachine>;
type AgentMachine = ReturnType<typeof createAgentMachine>;
type Append = Parameters<typeof driveLife<TaskState, TaskEvent, TaskFact, never>>[0]['append'];

/** Where a planted bug takes hold. */
export interface TaskMutant {
  name: string;
  task?: (machine: TaskMachine) => TaskMachine;
  agent?: (machine: AgentMachine) => AgentMachine;
  taskPorts?: (ports: TaskPorts) => TaskPorts;
  agentPorts?: (ports: AgentPorts) => AgentPorts;
  append?: Append;
  /** The end of an agent run is not told. */
  isDeaf?: boolean;
}

export interface TaskReport {
  seen: Set<string>;
  statuses: Set<string>;
  outcomes: Set<string>;
  crashes: number;
  conflicts: number;
  stale: number;
}

/** One seeded world of a task and its agents. Throws BrokenPromise where a promise does not hold. */
export async function simulateTask(seed: number, mutant: TaskMutant = { name: '' }): Promise<TaskReport> {
  const world = new TaskWorld(seed, mutant);
  await world.live();
  if (broken[0] !== undefined) throw broken[0];
  return world.report();
}

const people: Actor[] = ['ana', 'bo'].map((person) => ({ person, door: 'page' }));
const place = { host: 'h', boot: 'b', workspace: '/repo' };
const TASK = 't';

/** A stream of either kind, as a store keeps it. */
class Stream {
  readonly journal: SimulatedJournal<never>;
  state: unknown;
  row: StreamRow | null = null;
  readonly kind: typeof taskKind | typeof agentRunKind;

  constructor(
    id: string,
    kind: Stream['kind'],
    onEnd: (of: Stream, before: StreamRow | null) => void,
    hold: (stored: StoredEvent<never>) => void,
  ) {
    this.kind = kind;
    this.state = kind.initial;
    this.journal = new SimulatedJournal<never>(id, (batch) => {
      promise(this.journal.events.length < 2000, 'a task does not run away');
      const before = this.row;
      for (const stored of batch) {
        hold(stored as StoredEvent<never>);
        this.state = (kind.evolve as (state: unknown, stored: unknown) => unknown)(this.state, stored);
        this.row = projectRow<StreamRow>(kind as never, this.row as never, stored as never);
      }
      onEnd(this, before);
    });
  }
}

class TaskWorld {
  readonly #random: Random;
  readonly #time = new SimulatedTime();
  readonly #mutant: TaskMutant;
  readonly #streams = new Map<string, Stream>();
  readonly #outcomes = new Set<string>();
  readonly #statuses = new Set<string>();
  /** Which agent run has the worktree. */
  #worktree: string | null = null;
  /** What is committed on the branch, and what lies in the worktree. */
  #commits = 0;
  #merges = 0;
  /** By run and attempt: how often the agent was performed to its end. */
  readonly #performed = new Map<string, number>();
  #keys = 0;
  #crashes = 0;
  #calm = false;
  #isNested = false;

  /** It was begun on another machine, and may be taken up. */
  readonly #isAway: boolean;

  constructor(seed: number, mutant: TaskMutant) {
    this.#random = createRandom(seed);
    this.#isAway = seed % 4 === 0;
    this.#mutant = mutant;
  }

  get #task(): Stream {
    return this.#streams.get(TASK)!;
  }
  get #state(): TaskState {
    return this.#task.state as TaskState;
  }

  async live(): Promise<void> {
    broken.length = 0;
    const random = this.#random;
    const created: TaskFact = {
      type: 'task-created',
      task: TASK,
      project: 'p',
      place: this.#isAway ? { ...place, host: 'away' } : place,
      ...(this.#isAway ? { gitSource: 'https://example.org/r.git' } : {}),
      text: {
        title: 'A task',
        description: '',
        kind: random.chance(0.5) ? 'bug' : 'feature',
        priority: 'normal',
        dependencies: random.chance(0.2) ? ['other'] : [],
      },
      pipeline: defaultPipeline,
      maxReviewRounds: random.int(3),
      money: 10,
    };
    this.#begin(TASK, 'task', [{ v: 1, at: this.#time.now, ...created }]);
    for (let round = 0; round < 120 && !this.#isOver(); round += 1) {
      this.#calm = round >= 60;
      for (const stream of [...this.#streams.values()]) await this.#activate(stream);
      if (broken[0] !== undefined) throw broken[0];
      this.#time.tick(random.int(5000));
      const isEnded = this.#task.row?.endedAt != null;
      if (!(this.#calm && isEnded) && random.chance(this.#calm ? 0.9 : 0.5)) this.#ask();
    }
    promise(this.#isOver(), 'a task comes to its end where people want it to, and every request is answered');
    this.#finish();
  }

  report(): TaskReport {
    const journals = [...this.#streams.values()].map(({ journal }) => journal);
    return {
      seen: new Set(
        journals.flatMap(({ events }) => events.map(({ event }) => (event as { type: string }).type)),
      ),
      statuses: this.#statuses,
      outcomes: this.#outcomes,
      crashes: this.#crashes,
      conflicts: journals.reduce((n, { refused }) => n + refused.conflict, 0),
      stale: journals.reduce((n, { refused }) => n + refused.stale, 0),
    };
  }

  #isOver(): boolean {
    const status = statusOf(defaultPipeline, this.#state.status);
    return (
      status?.kind === 'ended' &&
      [...this.#streams.values()].every(
        ({ row, state }) => row?.endedAt != null && (state as TaskState).inbox.length === 0,
      )
    );
  }

  #begin(id: string, kind: string, events: unknown[]): void {
    if (this.#streams.has(id)) return;
    const of = kind === 'task' ? taskKind : agentRunKind;
    const stream = new Stream(
      id,
      of,
      (one, before) => this.#told(one, before),
      (stored) => this.#hold(id, stored as never),
    );
    this.#streams.set(id, stream);
    stream.journal.append({ id: 'begin', events: events as never[], expectedSeq: 0 });
  }

  /** What is promised of each event, where it stands. */
  #hold(id: string, { event }: StoredEvent<TaskEvent | AgentEvent>): void {
    if (id === TASK) this.#holdTask(event as TaskEvent);
    else this.#holdAgent(id, event as AgentEvent);
  }

  #holdTask(event: TaskEvent): void {
    const state = this.#state;
    switch (event.type) {
      case 'phase-begun':
        promise(activePhase(state) === undefined, 'one agent at a time works on a task');
        promise(
          statusOf(defaultPipeline, state.status)?.mode === event.mode,
          'the mode is that of the status',
        );
        promise(state.isFresh, 'a status is worked on once each time it is entered');
        break;
      case 'moved': {
        promise(activePhase(state) === undefined, 'a task does not move while an agent is at it');
        this.#statuses.add(event.to);
        if (event.why.type !== 'manual' || event.answers === undefined) break;
        const isWay = waysOn(state).some(({ to, against }) => to === event.to && against === null);
        const { request } = state.inbox.find(({ seq }) => seq === event.answers) ?? {};
        promise(
          isWay || request?.type === 'close-requested',
          'a person moves a task only where its pipeline lets them',
        );
        break;
      }
      case 'phase-ended':
        this.#outcomes.add(event.outcome);
        promise(activePhase(state)?.run === event.run, 'what ends was begun');
        break;
      case 'merge-finished':
        promise(state.merging !== null, 'what is merged was begun');
        break;
      default:
    }
  }

  #holdAgent(id: string, event: AgentEvent): void {
    const state = this.#streams.get(id)!.state as AgentRunState;
    switch (event.type) {
      case 'agent-started':
        promise(state.attempts.at(-1)?.status !== 'running', 'one performance at a time');
        promise(state.worktree !== null && !state.isReleased, 'an agent works in its worktree');
        promise(state.stoppedBy === null, 'what was stopped is not begun again');
        break;
      case 'agent-finished':
        promise(state.attempts.at(-1)?.status === 'running', 'an outcome has its intent');
        break;
      case 'agent-run-ended': {
        promise(!state.wantsWorktree || state.isReleased, 'a worktree is let go of before the end');
        const isReady = event.outcome === 'pr_ready';
        promise(
          !isReady || state.attempts.at(-1)?.validation?.ok !== false,
          'what does not pass is not ready',
        );
        promise(!isReady || (state.changes?.commits ?? 0) > 0, 'what left nothing is not ready');
        break;
      }
      default:
    }
  }

  /** As a store does it: whoever waits is told in the moment of the end. */
  #told({ row }: Stream, before: StreamRow | null): void {
    if (row === null || this.#mutant.isDeaf) return;
    const tell = (waiting: string, child: StreamRow) =>
      this.#streams.get(waiting)!.journal.append({
        id: `ended ${++this.#keys}`,
        events: [taskKind.childEnded!(child as never, this.#time.now) as never],
      });
    if (endsWith(before, row))
      for (const { row: other } of this.#streams.values()) if (other?.awaits === row.id) tell(other.id, row);
    const awaited = awaitsFrom(before, row);
    const child = awaited === null ? null : (this.#streams.get(awaited)?.row ?? null);
    if (child !== null && child.endedAt !== null) tell(row.id, child);
  }

  #ask(): void {
    const state = this.#state;
    const random = this.#random;
    const bodies: TaskRequestBody[] = [
      { type: 'comment-requested', on: random.pick(['plan', 'branch'] as const), text: 'better' },
      { type: 'subtask-requested', index: 0, done: true },
      { type: 'edit-requested', text: { ...state.text, dependencies: [] } },
    ];
    if (state.question !== null) bodies.push({ type: 'answer-given', text: 'the first' });
    if (random.chance(this.#calm ? 0 : 0.3)) bodies.push({ type: 'stop-requested' });
    if (random.chance(this.#calm ? 0.5 : 0.02)) bodies.push({ type: 'close-requested' });
    const ways = random.chance(0.9)
      ? waysOn(state).filter(({ to }) => to !== 'closed')
      : defaultPipeline.statuses.map(({ name }) => ({ to: name }));
    if (ways.length > 0)
      for (let n = 0; n < 4; n += 1) bodies.push({ type: 'move-requested', to: random.pick(ways).to });
    if (state.status === 'ready' || random.chance(0.05))
      for (let n = 0; n < 3; n += 1)
        bodies.push({ type: 'merge-requested', how: random.pick(MergeHow.options) });
    this.#request(TASK, random.pick(bodies), random.pick(people), `key${++this.#keys}`);
  }

  #request(id: string, body: { type: string }, by: Actor, key: string): void {
    const event = { v: 1, at: this.#time.now, key, by, ...body };
    this.#streams.get(id)!.journal.append({ id: key, events: [event as never] });
  }

  async #activate(stream: Stream): Promise<void> {
    const epoch = ++stream.journal.epoch;
    const driver = { pid: epoch, host: 'h', boot: 'b' };
    const life: Life = { epoch, driver, alive: { yes: true }, lost: new AbortController() };
    const random = this.#random;
    const machine = stream.kind === taskKind ? this.#taskMachine(driver) : this.#agentMachine(stream, life);
    const rest = await driveLife({
      machine: machine as AgentMachine,
      journal: stream.journal as unknown as SimulatedJournal<AgentEvent>,
      // Most of what an agent does takes less time than it has.
      clock: this.#time.clock((until) => {
        if (until - this.#time.now < 10_000 || random.chance(0.05))
          queueMicrotask(() => this.#time.tick(Math.max(0, until - this.#time.now)));
      }),
      life,
      fault: () =>
        this.#calm
          ? {}
          : randomFault(
              random,
              () => this.#ask(),
              () => {
                stream.journal.epoch += 1;
              },
            ),
      newId: () => `a${++this.#keys}`,
      append: this.#mutant.append as never,
      onSaid: () => {},
    });
    if (rest === null) this.#crashes += 1;
  }

  #taskMachine(driver: Life['driver']): TaskMachine {
    const random = this.#random;
    const ports: TaskPorts = {
      children: {
        begin: async (child, kind, events) => this.#begin(child, kind, events),
        cancel: async (child, by) => this.#request(child, { type: 'stop-requested' }, by, `cancel ${child}`),
      },
      take: async () => ({ ok: true, place }),
      openDependencies: async (tasks) => (random.chance(0.3) && !this.#calm ? [...tasks] : []),
      given: async (state) => {
        return {
          agent: 'scripted',
          given: {
            repository: { path: '/repo', remote: null, branch: state.branch },
            limits: { turns: 10, timeMs: 50_000, money: 1, tokens: 1000 },
            setupCommands: random.chance(0.3) ? ['setup'] : [],
            validationCommands: random.chance(0.5) ? ['check'] : [],
            maxValidationRetries: random.int(3),
            related: null,
            onAsk: 'wait',
          },
        };
      },
      agentRun: async (run) => this.#streams.get(run)!.state as AgentRunState,
      merge: async (state, how) => {
        promise(state.merging !== null, 'the intent is durable before the effect');
        if (random.chance(0.3) && !this.#calm)
          return { ok: false, commit: null, code: 'conflict', message: 'they differ', conflicts: ['a'] };
        if (how === 'pull-request') {
          const opened = { ok: true, commit: null, code: null, message: 'opened', conflicts: [] };
          return { ...opened, pullRequest: { url: 'https://example.org/1', commit: 'h' } };
        }
        this.#merges += state.merged === null ? 1 : 0;
        return { ok: true, commit: 'c', code: null, message: 'merged', conflicts: [] };
      },
    };
    const given = this.#mutant.taskPorts?.(ports) ?? ports;
    const machine = createTaskMachine(driver, given, () => this.#time.now, this.#isAway);
    return this.#mutant.task?.(machine) ?? machine;
  }

  #agentMachine(stream: Stream, life: Life): AgentMachine {
    const random = this.#random;
    const { stream: id } = stream.journal;
    const check = async (commands: readonly string[]) =>
      commands.map((command) => ({
        command,
        exitCode: random.chance(0.6) || this.#calm ? 0 : 1,
        tail: 'x',
        durationMs: 1,
      }));
    const ports: AgentPorts = {
      admit: async () =>
        !this.#calm && random.chance(0.3)
          ? { ok: false, until: this.#time.now + 100, why: 'all are busy' }
          : { ok: true },
      prepare: async (state) => {
        promise(this.#worktree === null || this.#worktree === id, 'two runs never share a worktree');
        if (!this.#calm && random.chance(0.1)) return { ok: false, code: 'no-base', message: 'no base' };
        this.#worktree = id;
        const branch = state.begun?.given.repository.branch ?? `task/${TASK}/${state.begun?.mode}`;
        return {
          ok: true,
          worktree: {
            path: '/repo/w',
            branch,
            base: 'b',
            head: 'h',
            isNew: random.chance(0.5),
            rescued: null,
            warnings: [],
          },
        };
      },
      check: async (_state, commands) => check(commands),
      template: async () => ({ text: null, warning: null }),
      perform: async (work, hooks) => {
        const isCurrent = () => life.alive.yes && life.epoch === stream.journal.epoch;
        const now = () => stream.state as AgentRunState;
        if (isCurrent())
          promise(now().attempts.at(-1)?.status === 'running', 'the intent is durable before the effect');
        promise(this.#worktree === id || !isCurrent(), 'an agent works in its own worktree');
        if (random.chance(0.3))
          await hooks.record([{ type: 'session-named', attempt: work.attempt, session: 's' }]);
        if (random.chance(0.2) && !this.#calm) await this.#approve(id, work.attempt, hooks);
        if (!this.#calm && random.chance(0.1))
          this.#request(id, { type: 'stop-requested' }, people[0]!, `stop${++this.#keys}`);
        await microtasks();
        if (!this.#calm && !this.#isNested && random.chance(0.1)) {
          if (random.chance(0.5)) life.lost.abort('lost');
          this.#isNested = true;
          await this.#activate(stream);
          this.#isNested = false;
        }
        const spent = { turns: 1, costUsd: 0, tokens: 0 };
        if (hooks.signal.aborted)
          return {
            ...spent,
            exitCode: 1,
            outcome: 'failed',
            payload: {},
            why: 'stopped',
            message: 'stopped',
          };
        const key = `${id} ${work.attempt}`;
        this.#performed.set(key, (this.#performed.get(key) ?? 0) + 1);
        const { outcome: usual, changes } = agentModes[work.mode];
        if (changes && random.chance(0.8)) this.#commits += 1;
        const other = random.pick([
          ...(work.mode === 'review' ? ['changes_requested'] : []),
          'needs_info',
          'failed',
          'something-else',
        ]);
        const outcome = random.chance(this.#calm ? 1 : 0.7) ? usual : other;
        return {
          ...spent,
          exitCode: outcome === 'failed' ? 1 : 0,
          outcome,
          payload: {
            plan: 'p',
            planSummary: 's',
            summary: 's',
            subtasks: ['a'],
            comments: ['c'],
            question: 'q?',
          },
          why: null,
          message: null,
        };
      },
      endLeftovers: async () => 'ended',
      changes: async () => ({ commits: this.#commits, files: this.#commits, foreign: [], head: 'h' }),
      release: async () => {
        if (life.epoch === stream.journal.epoch && this.#worktree === id) this.#worktree = null;
        return {};
      },
      take: async () => ({ ok: true, place }),
      decided: async (approvalId, signal) => {
        for (let n = 0; n < 50 && !signal.aborted; n += 1) {
          const found = (stream.state as AgentRunState).approvals.find((one) => one.id === approvalId);
          if (found !== undefined && found.status !== 'needed')
            return { granted: found.status === 'granted', reason: null };
          await null;
        }
        return { granted: false, reason: null };
      },
    };
    const machine = createAgentMachine(life.driver, this.#mutant.agentPorts?.(ports) ?? ports);
    return this.#mutant.agent?.(machine) ?? machine;
  }

  /** The agent asks, and a person decides or does not. */
  async #approve(
    id: string,
    attempt: number,
    hooks: {
      record(facts: AgentFact[]): Promise<boolean>;
      decided(id: string): Promise<{ granted: boolean }>;
    },
  ): Promise<void> {
    const approvalId = `ap${++this.#keys}`;
    const asked = await hooks.record([
      {
        type: 'approval-needed',
        approvalId,
        attempt,
        verdict: { level: 'dangerous', reasons: [] } as never,
        subject: { action: { kind: 'run-command', command: 'rm' } } as never,
        fingerprint: 'f',
      },
    ]);
    if (!asked) return;
    const decision = this.#random.pick(['approve', 'deny'] as const);
    if (this.#random.chance(0.9))
      this.#request(
        id,
        { type: 'approval-decided', approvalId, decision } as { type: string },
        people[1]!,
        `d${this.#keys}`,
      );
    const { granted } = await hooks.decided(approvalId);
    await hooks.record([
      { type: 'call-decided', attempt, title: 'rm', level: 'dangerous', allowed: granted, why: null },
    ]);
    promise(!granted || decision === 'approve', 'nobody is let do what was denied');
  }

  #finish(): void {
    const merged = this.#state.merged !== null;
    promise(merged === (this.#state.status === 'merged'), 'what is merged says so');
    promise(!merged || this.#merges > 0, 'nothing is called merged that is not');
    promise(this.#worktree === null, 'no worktree stays locked');
    for (const [key, times] of this.#performed) {
      const [run, attempt] = key.split(' ') as [string, string];
      const state = this.#streams.get(run)!.state as AgentRunState;
      const isLost = state.attempts.find(({ n }) => n === Number(attempt))?.status === 'interrupted';
      promise(times === 1 || isLost, 'no agent is performed twice for one intent');
    }
    for (const { journal, kind } of this.#streams.values()) {
      const events = journal.events as StoredEvent<{ type: string; answers?: number }>[];
      const answers = events.flatMap(({ event }) => (event.answers === undefined ? [] : [event.answers]));
      const asked = events.filter(({ event }) => kind.isRequest(event as never)).map(({ seq }) => seq);
      promise(
        isDeepStrictEqual(
          [...new Set(answers)].toSorted((a, b) => a - b),
          asked,
        ),
        'every request is answered',
      );
      promise(new Set(answers).size === answers.length, 'and once');
      promiseSnapshots(kind, events);
    }
    for (const { agent, outcome } of this.#state.phases) {
      promise(agent === 'scripted', 'the agent is the one that was admitted');
      promise(outcome !== null, 'every phase ends');
    }
  }
}
