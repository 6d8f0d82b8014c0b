import { z } from 'zod';
import { ShownStep } from '../approval.ts';
import { ChatRow } from '../chat/project.ts';
import { RunEvent } from '../events.ts';
import type { GuardRow } from '../guard/row.ts';
import { Limits, OnAsk, OnFailure, OnInterrupt } from '../options.ts';
import { Mode, Plan, Shell } from '../plan.ts';
import { RequestBody } from '../requests.ts';
import type { LeanRun } from '../run/lean.ts';
import { RunRow, WaitingFor } from '../run/project.ts';
import type { ApprovalState, RunState } from '../run/state.ts';
import type { ScheduleRow } from '../schedules/row.ts';
import { StreamRow } from '../stream/row.ts';
import type { AgentRunRow } from '../tasks/agent-row.ts';
import type { ProjectRow } from '../tasks/project.ts';
import type { TaskRow } from '../tasks/task-row.ts';
import { RiskLevel } from '../verdict.ts';
import { PlanText, Problem } from './plans.ts';
import type { WaitingTask } from './tasks.ts';

const seq = z.int().min(0);
const count = (most: number, usual: number) =>
  z.coerce.number<number | string>().int().min(1).max(most).default(usual);

/** Where a run comes from: a goal in a person's words, the text of a file, or a plan that is data already. */
export const RunSource = z.union([
  z.strictObject({ goal: z.string().min(1).max(20_000) }),
  PlanText,
  z.strictObject({ plan: Plan }),
]);
export type RunSource = z.infer<typeof RunSource>;

export const CreateRun = z.strictObject({
  source: RunSource,
  /**
   * As a person types it: `~` is their home, a relative path begins where the server was started. Left out, it is that
   * folder. What is no folder is refused.
   */
  workspace: z.string().max(4096).optional(),
  /** `URL[#ref]` of a repository that it runs in a clone of, on whichever machine drives it. Then the folder counts for nothing. */
  gitSource: z.string().min(1).max(4096).optional(),
  mode: Mode.optional(),
  /** What a goal is planned for; as configured where it is left out. */
  shell: Shell.optional(),
  inputs: z.record(z.string(), z.string()).optional(),
  /** Ids of steps to leave out. */
  excluded: z.array(z.string()).optional(),
  options: z
    .strictObject({
      onFailure: OnFailure,
      onAsk: OnAsk,
      onInterrupt: OnInterrupt,
      limits: Limits.partial(),
      stepTimeoutMs: z.int().positive().nullable(),
    })
    .partial()
    .optional(),
  /** Start without agreeing on the plan first. Dangerous steps are still asked about, each by itself. */
  agreed: z.boolean().optional(),
  /** The same key twice makes one run. */
  key: z.string().min(8).max(200).optional(),
});
export type CreateRun = z.infer<typeof CreateRun>;

export const CreatedRun = z.strictObject({ id: z.string(), problems: z.array(Problem) });
export type CreatedRun = z.infer<typeof CreatedRun>;

const states = RunRow.shape.state.options;

/** Several states are given as one text: `state=running,waiting`. */
export const RunsFilter = z.strictObject({
  state: z
    .string()
    .refine((text) => text.split(',').every((one) => (states as string[]).includes(one)), {
      message: `state takes some of ${states.join(', ')}, with commas between them`,
    })
    .optional(),
  workspace: z.string().optional(),
  /** In the goal, the titles of steps, or the beginning of the id. */
  text: z.string().max(500).optional(),
  limit: count(500, 50),
  /** `next` of the page before. */
  cursor: z.string().max(200).optional(),
});
export type RunsFilter = z.input<typeof RunsFilter>;

/** The newest first. `next` is null on the last page. */
export const RunPage = z.strictObject({
  runs: z.array(RunRow),
  next: z.string().nullable(),
  /** How many runs there are in each state, of all that fit but for the state. */
  counts: z.record(z.string(), z.int()),
});
export type RunPage = z.infer<typeof RunPage>;

/** The folded state, as `evolve` makes it of the same events. Its shape is `RunState`; secrets are hidden. */
const State = z.looseObject({
  seq,
  status: RunRow.shape.state,
  ended: z.boolean(),
  plan: Plan.nullable(),
  steps: z.array(z.looseObject({ id: z.string(), status: z.string() })),
}) as unknown as z.ZodType<RunState>;

export const RunView = z.strictObject({ id: z.string(), seq, row: RunRow, state: State });
export type RunView = z.infer<typeof RunView>;

/** The same, lean: `fullRun` makes a `RunState` of it. */
export const RunLook = RunView.extend({
  state: z.looseObject({
    seq,
    status: RunRow.shape.state,
    plan: Plan.nullable(),
    steps: z.array(z.looseObject({ id: z.string() })),
  }) as unknown as z.ZodType<LeanRun>,
});

export const AskOfRun = z.strictObject({
  request: RequestBody,
  /** The same key twice is one request. */
  key: z.string().min(8).max(200).optional(),
});
export type AskOfRun = z.infer<typeof AskOfRun>;

/** The request is in the journal at `seq`; the fact or refusal that answers it has `answers: seq`. */
export const Asked = z.strictObject({ seq: z.int().positive() });
export type Asked = z.infer<typeof Asked>;

/** Why what was asked of a run is not acted on: another run works in its folder, or nobody drives it. Nulls where neither is known. */
export const TurnOfRun = z.strictObject({
  waitsFor: z.strictObject({ run: z.string(), goal: z.string(), pid: z.int().nullable() }).nullable(),
  undrivenSince: z.number().nullable(),
});

/** How a run has to do with another: what it does with that one, or what that one does with it. */
export const RunLink = z.strictObject({
  how: z.enum(['undoes', 'undone-by', 'forks', 'forked-to', 'repeats', 'repeated-by']),
  row: RunRow,
});
export type RunLink = z.infer<typeof RunLink>;
/** Where it comes from first, then what came of it, the newest first. */
export const RelatedRuns = z.strictObject({ links: z.array(RunLink) });

/** The same plan again; inputs that are given take the place of those of then. */
export const Again = z.strictObject({ inputs: z.record(z.string(), z.string()).optional() });

export const Fork = z.strictObject({ stepId: z.string() });
export const Preview = z.strictObject({ revision: z.int(), steps: z.array(ShownStep) });
export type Preview = z.infer<typeof Preview>;

/** `expand=plan`: events that make or change the plan of a run carry all of it, every step with its index and status. */
const expand = { expand: z.literal('plan').optional() };

export const EventsQuery = z.strictObject({
  after: z.coerce.number<number | string>().int().min(0).default(0),
  limit: count(5000, 1000),
  ...expand,
});

/** An event at its place in the journal of its run: what every stream and page carries. */
export const NumberedEvent = z.strictObject({ seq: z.int().positive(), event: RunEvent });
export type NumberedEvent = z.infer<typeof NumberedEvent>;

/** `last`: how far the journal goes by now. */
export const EventPage = z.strictObject({ events: z.array(NumberedEvent), last: seq });
export type EventPage = z.infer<typeof EventPage>;

/** `after` counts where no Last-Event-ID is sent. */
export const RowsQuery = z.strictObject({ after: z.string().min(1).max(200).optional() });

/** `rows`: whether rows of all that is listed come with it, as messages `row` that have no id. */
export const RunStreamQuery = z.strictObject({
  after: z.coerce.number().int().min(0).optional(),
  rows: z.enum(['true', 'false']).optional(),
  ...expand,
});

/** A row of whatever is listed. The schemas of tasks and of the guard are not loaded for it: most programs never see one. */
type ListedRow = RunRow | ChatRow | ProjectRow | TaskRow | AgentRunRow | ScheduleRow | GuardRow;
const ListedRow = z.union([
  RunRow,
  ChatRow,
  z.looseObject({ ...StreamRow.shape, kind: z.enum(['project', 'task', 'agent-run', 'schedule', 'guard']) }),
]) as unknown as z.ZodType<ListedRow>;

/** One message of the stream over all that is listed: a row as it is now. With `cursor` a reader goes on after it. */
export const RowChange = z.strictObject({ cursor: z.string(), row: ListedRow });
export type RowChange = z.infer<typeof RowChange>;

/** A run that waits for a person, with what it asks. */
export const WaitingItem = z.strictObject({
  row: RunRow,
  waitingFor: WaitingFor,
  stepId: z.string().nullable(),
  stepTitle: z.string().nullable(),
  approval: (z.looseObject({ id: z.string() }) as unknown as z.ZodType<ApprovalState>).nullable(),
  /** The text of a question, of a step to do by hand, or what is known about an interrupted step. */
  question: z.string().nullable(),
});
export type WaitingItem = z.infer<typeof WaitingItem>;

/** A conversation that waits for a person. Where its plan asks, that is a run and asks as one. */
export const WaitingChat = z.strictObject({
  row: ChatRow,
  waitingFor: z.enum(['approval', 'answer']),
  /** The call that has to be decided on, or the question, in a line. */
  asks: z.string(),
  /** Of the call. */
  risk: RiskLevel.nullable(),
});
export type WaitingChat = z.infer<typeof WaitingChat>;
export const Waiting = z.strictObject({
  waiting: z.array(WaitingItem),
  chats: z.array(WaitingChat),
  tasks: z.array(z.looseObject({ asks: z.string() }) as unknown as z.ZodType<WaitingTask>),
  /** Their files are not what was agreed to any more. */
  schedules: z.array(z.looseObject({ id: z.string() }) as unknown as z.ZodType<ScheduleRow>),
});

export const RemoveRuns = z.strictObject({ ids: z.array(z.string()).min(1).max(1000) });
/** `stays`: those that are still there, because they have not ended or what they started still runs. */
export const RemovedRuns = z.strictObject({ removed: z.array(z.string()), stays: z.array(z.string()) });

export const SearchQuery = z.strictObject({ q: z.string().min(1).max(500), limit: count(100, 20) });
/** `found`: the part of the goal or of a step that matched. */
export const SearchHits = z.strictObject({
  hits: z.array(z.strictObject({ row: RunRow, found: z.string() })),
});
export type SearchHits = z.infer<typeof SearchHits>;

/** Of every kind alike; a kind's own rows have more. */
const AnyRow = z.looseObject(StreamRow.shape);
const AnyEvent = z.looseObject({ v: z.int(), type: z.string(), at: z.number() });

export const StreamsFilter = z.strictObject({
  kind: z.string().max(100).optional(),
  ...RunsFilter.pick({ workspace: true, text: true }).shape,
  /** Several are given as one text, with commas between them. */
  state: z.string().max(500).optional(),
  ...RunsFilter.pick({ limit: true, cursor: true }).shape,
});
export const StreamPage = z.strictObject({ streams: z.array(AnyRow), next: z.string().nullable() });
/** `state` is as `evolve` of its kind makes it; secrets are hidden. */
export const StreamView = RunView.extend({ row: AnyRow, state: z.looseObject({}) });
export const AskOfStream = AskOfRun.extend({ request: z.looseObject({ type: z.string() }) });
export const NumberedAnyEvent = z.strictObject({ seq: z.int().positive(), event: AnyEvent });
export type NumberedAnyEvent = z.infer<typeof NumberedAnyEvent>;
export const AnyEventPage = EventPage.extend({ events: z.array(NumberedAnyEvent) });
export const FollowQuery = RunStreamQuery.omit({ rows: true });
