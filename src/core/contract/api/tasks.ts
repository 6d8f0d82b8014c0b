import { z } from 'zod';
import { AgentRunRow } from '../tasks/agent-row.ts';
import { ProjectRow, ProjectSettings } from '../tasks/project.ts';
import { TaskText } from '../tasks/task-facts.ts';
import { TaskRow } from '../tasks/task-row.ts';
import type { TaskState } from '../tasks/task-state.ts';
import type { RiskLevel } from '../verdict.ts';

export const CreateProject = z.strictObject({ path: z.string().min(1).max(4096), settings: ProjectSettings });
export const CreatedProject = z.strictObject({ id: z.string() });
export const ProjectView = z.strictObject({ row: ProjectRow, settings: ProjectSettings });
export type ProjectView = z.infer<typeof ProjectView>;
export const ProjectList = z.strictObject({ projects: z.array(ProjectView) });
export const ChangeProject = z.strictObject({ settings: ProjectSettings });

export const CreateTask = z.strictObject({
  project: z.string().min(1),
  text: TaskText,
  /** The same key twice makes one task. */
  key: z.string().min(1).optional(),
});
export const CreatedTask = z.strictObject({ id: z.string() });
export const TasksFilter = z.strictObject({
  project: z.string().min(1).optional(),
  state: z.string().min(1).optional(),
  text: z.string().min(1).optional(),
  limit: z.coerce.number<number | string>().int().min(1).max(2000).default(1000),
});
export const TaskPage = z.strictObject({ tasks: z.array(TaskRow) });

/** A task that needs a person, or whose agent does; `asks` is for what, in a line. */
export interface WaitingTask {
  row: TaskRow;
  asks: string;
  /** Of something that its agent wants to do. */
  risk: RiskLevel | null;
}

/** Where a person may move a task, and what stands in the way. */
export const TaskWay = z.strictObject({
  to: z.string(),
  title: z.string(),
  against: z.string().nullable(),
  needsDependencies: z.boolean(),
});
export type TaskWay = z.infer<typeof TaskWay>;
export const TaskView = z.strictObject({
  id: z.string(),
  seq: z.int().min(0),
  row: TaskRow,
  state: z.looseObject({ task: z.string() }) as unknown as z.ZodType<TaskState>,
  ways: z.array(TaskWay),
  runs: z.array(AgentRunRow),
});
export type TaskView = z.infer<typeof TaskView>;

const Hunk = z.strictObject({
  /** `@@ -1,4 +1,5 @@ function a()` */
  header: z.string(),
  /** Each with its sign: a space, `+`, `-`, or `\\`. */
  lines: z.array(z.string()),
});
const FileDiff = z.strictObject({
  path: z.string(),
  /** What it was called before; null where it is called the same. */
  from: z.string().nullable(),
  status: z.enum(['added', 'deleted', 'modified', 'renamed', 'copied', 'type']),
  /** Null where it is binary. */
  added: z.int().nullable(),
  removed: z.int().nullable(),
  hunks: z.array(Hunk),
  /** There is more of it than is shown. */
  isCut: z.boolean(),
});
/** What a branch changes against its base; of very much, the first part. */
export const TaskDiff = z.strictObject({
  files: z.array(FileDiff),
  more: z.int().min(0),
  /** The address that a push of it goes to, without what logs in there; null where there is no remote. */
  pushesTo: z.string().nullable(),
});
export type TaskDiff = z.infer<typeof TaskDiff>;
