import { z } from 'zod';
import type { ActionOf, SimpleAction } from './action.ts';

/**
 * What models may call, and plans with CALL_TOOL. A tool is known by what it comes to: the actions that it stands for are
 * what is judged, shown and bound by an approval. What is not in this table and comes from elsewhere is unknown to the
 * judge, and dangerous.
 */
export interface ToolRow<A> {
  /** For the model: what it does and when to use it. */
  readonly means: string;
  readonly args: z.ZodType<A>;
  /** It only looks: several of one answer go side by side, and after a crash it may be done again. */
  readonly reads: boolean;
  /** Whether CALL_TOOL of a plan may name it; otherwise, what a plan writes instead. */
  readonly inPlans: true | string;
  /** The actions that it stands for; null: it is answered by the conversation itself. */
  readonly parts: ((args: A) => SimpleAction[]) | null;
  /** Only what a person writes calls it: no model is told of it. */
  readonly isPersons?: true;
  /** What performs it, where that is one of its parts as it stands; left out, it is performed as a tool. */
  readonly plain?: true;
}

const path = z.string().min(1).max(4096);
const edit = z.strictObject({ path, old: z.string().min(1), new: z.string() });
export type ToolEdit = z.infer<typeof edit>;

const row = <S extends z.ZodObject>(args: S, rest: Omit<ToolRow<z.infer<S>>, 'args'>): ToolRow<z.infer<S>> =>
  ({ args, ...rest }) as unknown as ToolRow<z.infer<S>>;

const asEdit = (one: ToolEdit): SimpleAction => ({ kind: 'edit-file', ...one });

/** Which of them only look. Apart from their schemas, so that a page can know it without these. */
const LOOKS = {
  read_file: true,
  view_picture: true,
  list_files: true,
  search: true,
  edit_file: false,
  multi_file_edit: false,
  write_file: false,
  run_command: false,
  diagnose: true,
  plan: false,
  ask_user: false,
};

export const TOOLS = {
  read_file: row(
    z.strictObject({
      path,
      from: z.int().min(1).optional().describe('the first line, counted from 1'),
      lines: z.int().min(1).max(5000).optional(),
    }),
    {
      means: 'Reads a text file of the workspace.',
      reads: LOOKS.read_file,
      inPlans: true,
      plain: true,
      parts: (args) => [{ kind: 'read-file', path: args.path, as: 'text' }],
    },
  ),
  view_picture: row(z.strictObject({ path }), {
    means: 'Shows a picture of the workspace to the model.',
    reads: LOOKS.view_picture,
    inPlans: 'a conversation',
    isPersons: true,
    parts: (args) => [{ kind: 'read-file', path: args.path, as: 'picture' }],
  }),
  list_files: row(z.strictObject({ pattern: path.describe('such as src/**/*.ts') }), {
    means: 'Lists the files of the workspace that match a pattern.',
    reads: LOOKS.list_files,
    inPlans: true,
    plain: true,
    parts: ({ pattern }) => [{ kind: 'list-files', pattern, as: 'files' }],
  }),
  search: row(
    z.strictObject({
      pattern: z.string().min(1).max(1000).describe('an extended regular expression'),
      path: path
        .optional()
        .describe('a folder or file to search in; the whole workspace where it is left out'),
      literal: z.boolean().optional().describe('take the pattern as plain text'),
    }),
    {
      means: 'Searches the files of the workspace for lines that match.',
      reads: LOOKS.search,
      inPlans: true,
      parts: (args) => [{ kind: 'list-files', pattern: `${args.path ?? '.'}/**`, as: 'files' }],
    },
  ),
  edit_file: row(edit, {
    means:
      'Replaces a text that occurs exactly once in a file. Where it is not found as it is, differences in white space are overlooked.',
    reads: LOOKS.edit_file,
    inPlans: true,
    parts: (args) => [asEdit(args)],
  }),
  multi_file_edit: row(z.strictObject({ edits: z.array(edit).min(1).max(100) }), {
    means: 'Makes several replacements, in one file or in several: all of them, or none.',
    reads: LOOKS.multi_file_edit,
    inPlans: true,
    parts: ({ edits }) => edits.map(asEdit),
  }),
  write_file: row(z.strictObject({ path, content: z.string() }), {
    means: 'Writes a whole file, and makes the folders above it that are missing.',
    reads: LOOKS.write_file,
    inPlans: true,
    parts: (args) => [{ kind: 'write-file', ...args }],
  }),
  run_command: row(z.strictObject({ command: z.string().min(1) }), {
    means:
      'Runs a command in bash. The folder and exported variables carry over to the next command. It has no terminal.',
    reads: LOOKS.run_command,
    inPlans: 'RUN_COMMAND',
    plain: true,
    parts: ({ command }) => [{ kind: 'run-command', command }],
  }),
  diagnose: row(
    z.strictObject({ command: z.string().min(1), output: z.string(), exitCode: z.int().optional() }),
    {
      means: 'Says by rules what is known about a command that failed and how it is usually mended.',
      reads: LOOKS.diagnose,
      inPlans: 'agentic mode, which does this by itself',
      parts: null,
    },
  ),
  plan: row(z.strictObject({ goal: z.string().min(1) }), {
    means:
      'Has a plan of several steps made for a goal. The person is asked to agree on it, then it is run. Use it for work with many steps that depend on each other.',
    reads: LOOKS.plan,
    inPlans: 'the steps themselves',
    parts: null,
  }),
  ask_user: row(z.strictObject({ question: z.string().min(1) }), {
    means: 'Asks the person a question and waits for the answer.',
    reads: LOOKS.ask_user,
    inPlans: 'ASK',
    parts: null,
  }),
} as const satisfies Record<keyof typeof LOOKS, unknown>;

export type ToolName = keyof typeof TOOLS;
export const toolNames = Object.keys(LOOKS) as ToolName[];
export const isToolName = (name: string): name is ToolName => Object.hasOwn(LOOKS, name);

const rowOf = (name: string): ToolRow<never> | null =>
  isToolName(name) ? (TOOLS[name] as unknown as ToolRow<never>) : null;

/** A tool of a server that somebody has set up: one word for both. Nothing shows what it does. */
export const mcpName = (server: string, tool: string): string => `mcp__${server}__${tool}`;

/** Which server and tool a name stands for; null where it is none of theirs. */
export function readMcpName(name: string): { server: string; tool: string } | null {
  const found = /^mcp__((?:(?!__).)+)__(.+)$/.exec(name);
  return found === null ? null : { server: found[1]!, tool: found[2]! };
}

export const toolReads = (name: string): boolean =>
  Object.hasOwn(LOOKS, name) && LOOKS[name as keyof typeof LOOKS];

export type ReadCall =
  | { ok: true; tool: string; args: Readonly<Record<string, unknown>> }
  | { ok: false; message: string };

/** A call as somebody wrote it, checked. */
export function readCall(tool: string, args: unknown): ReadCall {
  if (readMcpName(tool) !== null) {
    // What it takes is for its server to say.
    const read = z.record(z.string(), z.json()).safeParse(args);
    return read.success
      ? { ok: true, tool, args: read.data }
      : { ok: false, message: `${tool}: its arguments are no object` };
  }
  if (!isToolName(tool)) return { ok: false, message: `there is no tool ${JSON.stringify(tool)}` };
  const read = TOOLS[tool].args.safeParse(args);
  if (read.success) return { ok: true, tool, args: read.data as Readonly<Record<string, unknown>> };
  const issue = read.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? 'its arguments' : issue.path.join('.');
  return { ok: false, message: `${tool}: ${where}: ${issue?.message ?? 'do not fit'}` };
}

/** The actions that a call stands for; null where nobody knows, or where it stands for none. */
export function toolParts({
  tool,
  args,
}: Pick<ActionOf<'call-tool'>, 'tool' | 'args'>): SimpleAction[] | null {
  const read = readCall(tool, args);
  if (!read.ok) return null;
  return rowOf(tool)?.parts?.(read.args as never) ?? null;
}

/** What a call is performed as: the action that it stands for, or itself. Null where the conversation answers it. */
export function actionOfCall(tool: string, args: Readonly<Record<string, unknown>>): SimpleAction | null {
  const call = { kind: 'call-tool', tool, args } as ActionOf<'call-tool'>;
  if (readMcpName(tool) !== null) return call;
  const parts = toolParts(call);
  if (parts === null) return null;
  return rowOf(tool)?.plain === true ? parts[0]! : call;
}

/**
 * What a tool says that failed in a way that another could do better: the seed's signal. It stands in a result as data;
 * `error` as a person and a model read it begins with its name.
 */
export const SelfCorrect = z.strictObject({
  originalTool: z.string(),
  originalError: z.string(),
  suggestedApproach: z.string(),
  fallbackTools: z.array(z.string()),
});
export type SelfCorrect = z.infer<typeof SelfCorrect>;

export const SELF_CORRECT_ATTEMPT = 'SELF_CORRECT_ATTEMPT';

/** The request for another way, in the seed's words. */
export const fallbackRequest = ({
  originalTool,
  originalError,
  suggestedApproach,
  fallbackTools,
}: SelfCorrect): string =>
  `The operation '${originalTool}' failed with error: '${originalError}'. Please generate new tool calls to accomplish the same goal using ${fallbackTools.map((tool) => `'${tool}'`).join(' or ')}. ${suggestedApproach}`;
