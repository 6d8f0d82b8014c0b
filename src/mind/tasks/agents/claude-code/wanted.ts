import { z } from 'zod';
import type { SimpleAction } from '../../../../core/contract/index.ts';
import { quoteWord } from '../../../../core/shell/index.ts';

/** Tools that touch nothing by themselves: what an agent of its own does goes through the gate, too. */
const harmless: ReadonlySet<string> = new Set(
  'Agent Task TaskOutput TaskStop TaskCreate TaskUpdate TaskGet TaskList TodoWrite BashOutput KillShell KillBash ExitPlanMode EnterPlanMode StructuredOutput ToolSearch'.split(
    ' ',
  ),
);

const path = z.string().min(1);
const rows: Readonly<Record<string, (input: unknown) => SimpleAction | undefined>> = {
  Bash: row({ command: path }, ({ command }) => ({ kind: 'run-command', command })),
  Read: row({ file_path: path }, (input) => ({ kind: 'read-file', path: input.file_path, as: 'text' })),
  Write: row({ file_path: path, content: z.string() }, (input) => ({
    kind: 'write-file',
    path: input.file_path,
    content: input.content,
  })),
  Edit: row({ file_path: path, old_string: z.string(), new_string: z.string() }, (input) =>
    input.old_string === ''
      ? { kind: 'write-file', path: input.file_path, content: input.new_string }
      : { kind: 'edit-file', path: input.file_path, old: input.old_string, new: input.new_string },
  ),
  NotebookEdit: row({ notebook_path: path, new_source: z.string() }, (input) => ({
    kind: 'write-file',
    path: input.notebook_path,
    content: input.new_source,
  })),
  Glob: row({ pattern: path, path: path.optional() }, (input) => ({
    kind: 'list-files',
    pattern: input.path === undefined ? input.pattern : `${input.path}/${input.pattern}`,
    as: 'files',
  })),
  Grep: row({ path: path.optional() }, (input) => ({
    kind: 'list-files',
    pattern: `${input.path ?? '.'}/**`,
    as: 'files',
  })),
  WebFetch: row({ url: path }, ({ url }) => ({
    kind: 'run-command',
    command: `curl -fsSL ${quoteWord(url)}`,
  })),
};

function row<S extends z.ZodRawShape>(
  shape: S,
  action: (input: z.infer<z.ZodObject<S>>) => SimpleAction,
): (input: unknown) => SimpleAction | undefined {
  const schema = z.object(shape);
  return (input) => {
    const read = schema.safeParse(input);
    return read.success ? action(read.data) : undefined;
  };
}

/** What a call of Claude Code comes to; null: nothing. One that nobody knows is asked for. */
export function claudeAction(tool: string, input: unknown): SimpleAction | null {
  if (harmless.has(tool)) return null;
  const known = Object.hasOwn(rows, tool) ? rows[tool]!(input) : undefined;
  return (
    known ?? {
      kind: 'call-tool',
      tool: `agent:${tool}`,
      args: { input: z.json().safeParse(input).data ?? null },
    }
  );
}
