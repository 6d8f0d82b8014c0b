import type { RunEvent } from '../../../core/contract/index.ts';
import {
  type AgentRunRow,
  type AgentRunState,
  activePhase,
  defaultPipeline,
  needsPerson,
  type TaskDiff,
  type TaskEvent,
  TaskRequestBody,
  type TaskRow,
  type TaskState,
  TaskText,
  type TaskWay,
  taskAsks,
  type WaitingTask,
} from '../../../core/contract/tasks/index.ts';
import type { ListingQuery, Store } from '../../../core/stream/index.ts';
import { systemClock } from '../../../world/store/index.ts';
import type { Removed, Worktrees } from '../../../world/worktrees/index.ts';
import type { Asker } from '../asker.ts';
import { AppError } from '../errors.ts';
import { newKey, newRunId, runIdFor } from '../ids.ts';
import type { AppStreams, Asking } from '../streams.ts';
import { fitting } from './fitting.ts';
import type { Projects } from './projects.ts';

export interface NewTask {
  project: string;
  text: Partial<TaskText> & { title: string };
  by: Asker;
  /** The same key twice makes one task. */
  key?: string | undefined;
}

/** A task with what can be done about it. */
export interface TaskLook {
  row: TaskRow;
  state: TaskState;
  /** Where a person may move it, and what stands in the way. */
  ways: readonly TaskWay[];
  runs: readonly AgentRunRow[];
}

/** Something that an agent wants to do, and the run that waits for it. */
export interface AgentAsk {
  run: string;
  approval: AgentRunState['approvals'][number];
}

/** What people do with tasks. */
export interface Tasks {
  create(task: NewTask): Promise<string>;
  list(query?: Omit<ListingQuery, 'kind'> & { project?: string }): Promise<TaskRow[]>;
  /** Those that wait for a person, of all projects. */
  waiting(limit: number): Promise<WaitingTask[]>;
  /** What the agent that is at it wants to do and a person has to decide on; null where there is nothing. */
  asked(id: string): Promise<AgentAsk | null>;
  /** Decides on that. Rejects with an AppError where there is nothing to decide on. */
  decide(
    id: string,
    decision: 'approve' | 'deny',
    asking: Asking & { reason?: string | undefined },
  ): Promise<void>;
  /** By an id or its beginning. Rejects with an AppError where there is none, or more than one. */
  find(named: string): Promise<TaskRow>;
  look(id: string): Promise<TaskLook>;
  state(id: string): Promise<TaskState>;
  /** The place of the request in the task's stream; its driver answers there. Other tasks may be named by a beginning. */
  request(id: string, body: TaskRequestBody, asking: Asking): Promise<number>;
  /**
   * Resolves once the request is answered and what follows at once is done, by this process or by another that has the
   * task. Rejects with an AppError where it is refused.
   */
  ask(id: string, body: TaskRequestBody, asking: Asking): Promise<void>;
  /** Drives it and the agents that it waits for, until it waits for a person or is over. */
  driveAll(id: string, options?: { signal?: AbortSignal }): Promise<TaskState>;
  /** What its branch changes; nothing where it has none, or that cannot be told. */
  diff(id: string): Promise<TaskDiff>;
  /** Removes what is left of the worktrees of merged tasks, and says what stays and why. */
  gc(project: string): Promise<Removed>;
}

const DEFAULT_ROUNDS = 3;
const MOST = 2000;
/** Where another process has the task, and how it ended was not to be heard. */
const LOOK_AGAIN_MS = 1000;

interface TasksOptions {
  store: Store<RunEvent>;
  streams: AppStreams<RunEvent>;
  projects: Projects;
  begunHere: Set<string>;
  worktrees(): Promise<Worktrees>;
  /** Dollars that the runs of one task may cost together, where its project does not say. */
  money: number;
}

export function createTasks({ store, streams, projects, begunHere, money, worktrees }: TasksOptions): Tasks {
  const state = async (id: string): Promise<TaskState> => {
    if ((await store.kindOf(id)) === 'task') return (await streams.state(id)) as TaskState;
    throw new AppError('no-such-stream', `there is no task ${JSON.stringify(id)}`);
  };
  /** With whole ids where others are named by a beginning. */
  const named = async (text: TaskText): Promise<TaskText> => {
    const idOf = async (one: string) => (await tasks.find(one)).id;
    const dependencies = await Promise.all(text.dependencies.map(idOf));
    return {
      ...text,
      dependencies,
      ...(text.related === undefined ? {} : { related: await idOf(text.related) }),
    };
  };
  const tasks: Tasks = {
    async create({ project, text, by, key }) {
      await streams.admit(by, 'ask', 'task new');
      const { settings, place } = await projects.state(project);
      if (settings === null) throw new AppError('no-such-stream', `there is no project ${project}`);
      const id = key === undefined ? newRunId() : runIdFor(`task:${key}`);
      const read = fitting(TaskText, text);
      const event: TaskEvent = {
        v: 1,
        at: systemClock.now(),
        type: 'task-created',
        task: id,
        project,
        place,
        text: await named(read),
        pipeline: settings.pipeline ?? defaultPipeline,
        maxReviewRounds: settings.maxReviewRounds ?? DEFAULT_ROUNDS,
        money: settings.moneyPerTask ?? money,
        ...(settings.gitSource === undefined ? {} : { gitSource: settings.gitSource }),
      };
      const events = [event as unknown as RunEvent];
      const begun = await store.begin(id, { kind: 'task', id: `begin:${key ?? newKey()}`, events });
      if (begun.ok && !begun.repeated) begunHere.add(id);
      return id;
    },
    async list({ project, ...query } = {}) {
      const rows = await streams.list<TaskRow>({ ...query, kind: 'task' });
      return project === undefined ? rows : rows.filter((row) => row.project === project);
    },
    // Which statuses wait is known to each task's own pipeline alone.
    async waiting(limit) {
      const [rows, agents] = await Promise.all([
        tasks.list({ limit: MOST }),
        streams.list<AgentRunRow>({ kind: 'agent-run', state: ['waiting'], limit: MOST }),
      ]);
      const asking = new Map(agents.map(({ task, asks }) => [task, asks]));
      return rows
        .flatMap((row): WaitingTask[] => {
          const asks = asking.get(row.id);
          if (asks != null) return [{ row, asks: asks.title, risk: asks.risk }];
          return needsPerson(row) ? [{ row, asks: taskAsks(row), risk: null }] : [];
        })
        .slice(0, limit);
    },
    async asked(id) {
      const phase = activePhase(await state(id));
      if (phase === undefined || (await store.kindOf(phase.run)) === null) return null;
      const { approvals } = (await streams.state(phase.run)) as AgentRunState;
      const approval = approvals.find(({ status }) => status === 'needed');
      return approval === undefined ? null : { run: phase.run, approval };
    },
    async decide(id, decision, { reason, ...asking }) {
      const open = await tasks.asked(id);
      if (open === null) throw new AppError('refused', 'its agent asks for nothing');
      const said = reason === undefined ? {} : { reason };
      const body = { type: 'approval-decided', approvalId: open.approval.id, decision, ...said };
      await streams.request(open.run, body, asking);
    },
    async find(named) {
      const found = await streams.withPrefix<TaskRow>(named, 'task');
      const [row] = found;
      if (row === undefined)
        throw new AppError('no-such-stream', `there is no task ${JSON.stringify(named)}`);
      if (found.length > 1 && row.id !== named)
        throw new AppError('ambiguous-run', `several tasks begin with ${named}: name more of it`);
      return row;
    },
    async look(id) {
      const [now, row, { waysOn }] = await Promise.all([
        state(id),
        streams.row<TaskRow>(id),
        import('../../../core/tasks/index.ts'),
      ]);
      const runs = await Promise.all(now.phases.map(({ run }) => streams.row<AgentRunRow>(run)));
      return { row: row!, state: now, ways: waysOn(now), runs: runs.filter((one) => one !== null) };
    },
    state,
    async request(id, asked, asking) {
      const body = fitting(TaskRequestBody, asked);
      if (body.type !== 'edit-requested') return streams.request(id, body, asking);
      const text = await named(body.text);
      await mustEnd(id, text.dependencies);
      return streams.request(id, { ...body, text } as TaskRequestBody, asking);
    },
    async ask(id, body, asking) {
      const seq = await tasks.request(id, body, asking);
      for (;;) {
        const rested = await streams.drive(id);
        if (rested.why !== 'claimed') break;
        await streams.changed(id, rested.seq, AbortSignal.timeout(LOOK_AGAIN_MS));
      }
      const refused = (await streams.read(id, seq)).find(({ event }) => {
        const { type, answers } = event as unknown as { type: string; answers?: number };
        return type === 'request-refused' && answers === seq;
      });
      if (refused !== undefined)
        throw new AppError('refused', (refused.event as unknown as { message: string }).message);
    },
    async driveAll(id, { signal } = {}) {
      const options = signal === undefined ? {} : { signal };
      const wait = () =>
        AbortSignal.any([AbortSignal.timeout(2000), ...(signal === undefined ? [] : [signal])]);
      while (signal?.aborted !== true) {
        const rested = await streams.drive(id, options);
        const row = (await streams.row<TaskRow>(id))!;
        if (row.endedAt !== null || (row.awaits === null && !row.goesOn)) break;
        if (row.awaits !== null) {
          const child = await streams.drive(row.awaits, options);
          if (child.why !== 'finished') await streams.changed(row.awaits, child.seq, wait());
        } else if (rested.why === 'claimed' || rested.why === 'later')
          await streams.changed(id, rested.seq, wait());
        else if (rested.why !== 'waiting') break;
      }
      return state(id);
    },
    diff: async (id) =>
      (await (await worktrees()).diff(await state(id))) ?? { files: [], more: 0, pushesTo: null },
    async gc(project) {
      const { place, settings } = await projects.state(project);
      const rows = await tasks.list({ project, limit: 10_000 });
      const through = rows.flatMap(({ id, endedAt, branch }) =>
        endedAt !== null && branch !== null ? [{ task: id, branch }] : [],
      );
      const { baseBranch, remote = null } = settings ?? {};
      const repository = {
        path: place.workspace,
        remote,
        branch: null,
        ...(baseBranch === undefined ? {} : { baseBranch }),
      };
      return (await worktrees()).gc(repository, through);
    },
  };
  return tasks;

  /** Throws where the task would wait for itself. */
  async function mustEnd(id: string, dependencies: readonly string[]): Promise<void> {
    const [open, seen] = [[...dependencies], new Set<string>()];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === id)
        throw new AppError('usage', 'a task cannot depend on itself, or on one that depends on it');
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...((await streams.row<TaskRow>(next))?.dependencies ?? []));
    }
  }
}
