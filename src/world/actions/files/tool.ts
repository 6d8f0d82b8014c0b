import { dirname, join } from 'node:path';
import {
  type ActionOf,
  isToolName,
  readMcpName,
  type SelfCorrect,
  type StepResult,
  TOOLS,
  toolParts,
} from '../../../core/contract/index.ts';
import { failedResult, nothingToDo, type Recovered } from '../../../core/run/index.ts';
import { replaceOnce, search } from '../../tools/index.ts';
import { locate } from '../../workspace/index.ts';
import type { Attempt, Lost } from '../tools.ts';
import { attemptFile } from './attempt-file.ts';
import type { FileContext, Prepare, PreparedChange } from './change.ts';
import { prepareCreateDir } from './create-dir.ts';
import { stateOfBytes } from './file-state.ts';
import { FileProblem, SelfCorrectProblem } from './problem.ts';
import { recoverFile } from './recover-file.ts';
import { prepareContent, prepareWrite, wholeText } from './write.ts';

type Call = ActionOf<'call-tool'>;
type Edit = ActionOf<'edit-file'>;

/**
 * How a tool is performed that is more than one action: replacements that overlook white space, several at once, a file with its
 * folders, a search.
 * All else that a plan may call is performed as the one action that it stands for; `plain` does that.
 */
export function attemptTool(
  call: Call,
  attempt: Attempt,
  plain: (part: NonNullable<ReturnType<typeof toolParts>>[number]) => Promise<StepResult>,
): Promise<StepResult> {
  if (readMcpName(call.tool) !== null) return attemptMcp(call, attempt);
  if (call.tool === 'view_picture') return attemptPicture(call, attempt);
  const parts = toolParts(call);
  const refused = refusalOf(call);
  if (parts === null || parts.length === 0 || refused !== null)
    return Promise.resolve(
      failedResult('unsupported', refused ?? `there is no tool ${call.tool} with these arguments`),
    );
  if (call.tool === 'search') return attemptFile(call, prepareSearch(attempt), attempt);
  if (call.tool === 'write_file') return attemptFile(call, prepareWriteTool, attempt);
  if (parts.every((part) => part.kind === 'edit-file')) return attemptFile(call, prepareEdits, attempt);
  return plain(parts[0]!);
}

/** Only conversations look at pictures. */
async function attemptPicture(call: Call, attempt: Attempt): Promise<StepResult> {
  const { preparePicture } = await import('./picture.ts');
  return attemptFile(call, preparePicture(attempt), attempt);
}

/** What is done by another action in a plan would come here with values put into it as they are: it is not done. */
function refusalOf({ tool }: Call): string | null {
  const instead = isToolName(tool) ? TOOLS[tool].inPlans : null;
  if (instead === null) return `there is no tool ${tool}`;
  return instead === true ? null : `${tool} is no tool of plans: use ${instead}`;
}

/** A tool of a server: what it did there nobody here can tell. */
async function attemptMcp({ tool, args }: Call, { tools, hooks }: Attempt): Promise<StepResult> {
  if (tools.mcp === undefined) return failedResult('unsupported', `no server is set up that has ${tool}`);
  const { ok, text } = await tools.mcp.call(tool, args, hooks.signal);
  if (hooks.signal.aborted) return failedResult('aborted', 'it was stopped');
  return ok
    ? { ...nothingToDo(`${tool} answered`), captured: { key: 'answer', value: text } }
    : failedResult('tool-failed', text);
}

/** Nothing but files is changed by a tool of ours that a plan may call; what only looks has prepared nothing. */
export const recoverTool = async ({ tool }: Call, lost: Lost): Promise<Recovered> =>
  readMcpName(tool) === null
    ? recoverFile(tool === 'write_file', lost)
    : { finding: 'unknown', detail: `nobody can tell whether ${tool} was done` };

const prepareEdits: Prepare<Call> = async (call, context) => {
  const edits = (toolParts(call) ?? []).filter((part): part is Edit => part.kind === 'edit-file');
  const changes: PreparedChange[] = [];
  const close = () => {
    for (const change of changes) change.close();
  };
  try {
    for (const [path, ofFile] of byFile(edits, context))
      changes.push(
        await prepareContent(path, context, async (place) => {
          if (place.entry.kind === 'absent') throw new FileProblem(`there is no file ${place.path} to edit`);
          const before = await wholeText(place);
          return edited(call.tool, place.path, before, ofFile);
        }),
      );
  } catch (error) {
    close();
    throw error;
  }
  return {
    changes: changes.flatMap((change) => change.changes),
    sentence: changes.map(({ sentence }) => sentence).join('\n'),
    close,
    async apply(signal) {
      let done = 0;
      try {
        for (const change of changes) {
          await change.apply?.(signal);
          done += 1;
        }
      } catch (error) {
        if (done === 0) throw error;
        const message = error instanceof Error ? error.message : String(error);
        throw new FileProblem(`${done} of ${changes.length} files are changed; ${message}`, {
          halfway: true,
        });
      }
    },
  };
};

/** A file with the folders above it that are missing: all of it is named before any of it is made. */
const prepareWriteTool: Prepare<Call> = async ({ args }, context) => {
  const write = { kind: 'write-file' as const, ...TOOLS.write_file.args.parse(args) };
  const place = locate(context.where, write.path, { follow: true, partial: true });
  place.close();
  if (place.rest.length === 0) return prepareWrite(write, context);
  const names = [place.name, ...place.rest];
  const paths = names.map((_, at) => join(place.folder.path, ...names.slice(0, at + 1)));
  const file = paths.at(-1)!;
  const content = Buffer.from(write.content);
  const perform = async ({ apply, close }: PreparedChange, signal: AbortSignal) => {
    try {
      await apply?.(signal);
    } finally {
      close();
    }
  };
  return {
    changes: paths.map((path) => ({
      path,
      before: 'absent',
      after: path === file ? stateOfBytes(content) : 'dir',
    })),
    sentence: `wrote ${content.length} bytes to ${file}, in a new folder`,
    async apply(signal) {
      await perform(
        await prepareCreateDir({ kind: 'create-dir', path: dirname(write.path) }, context),
        signal,
      );
      await perform(await prepareWrite(write, context), signal);
    },
    close() {},
  };
};

/** By where they really are: one file may be named in two ways. */
function byFile(edits: readonly Edit[], { where }: FileContext): Map<string, Edit[]> {
  const files = new Map<string, Edit[]>();
  for (const edit of edits) {
    const place = locate(where, edit.path, { follow: true });
    place.close();
    files.set(place.path, [...(files.get(place.path) ?? []), edit]);
  }
  return files;
}

function edited(tool: string, path: string, before: string, edits: readonly Edit[]) {
  const lines: number[] = [];
  let text = before;
  for (const edit of edits) {
    const replaced = replaceOnce(text, edit.old, edit.new);
    if (!replaced.ok) throw new SelfCorrectProblem(signalOf(tool, path, edit, replaced.lines));
    text = replaced.text;
    lines.push(replaced.line);
  }
  const at = lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.join(', ')}`;
  return { content: Buffer.from(text), sentence: `edited ${path} at ${at}` };
}

function signalOf(tool: string, path: string, { old }: Edit, lines: readonly number[]): SelfCorrect {
  const shown = JSON.stringify(old.length > 60 ? `${old.slice(0, 60)}…` : old);
  const often = lines.length > 1;
  const suggestion = often
    ? 'Read the file, and give more of the text around the place that is meant.'
    : 'Read the file as it is now, and take the text to replace from there, or write the whole file.';
  return {
    originalTool: tool,
    originalError: often
      ? `${path} contains ${shown} more than once (lines ${lines.join(' and ')})`
      : `${path} does not contain ${shown}`,
    suggestedApproach: suggestion,
    fallbackTools: tool === 'edit_file' ? ['multi_file_edit', 'write_file'] : ['write_file'],
  };
}

const prepareSearch =
  ({ tools, hooks }: Attempt): Prepare<Call> =>
  async ({ args }, { where }) => {
    const query = TOOLS.search.args.parse(args);
    const found = await search(query, where, tools.baseEnv, hooks.signal);
    if (!found.ok) throw new FileProblem(found.message);
    const { lines, more, hidden } = found;
    const notes = [
      ...(more ? ['[there is more: narrow the search]'] : []),
      ...(hidden > 0 ? [`[${hidden} files that hold secrets were left out]`] : []),
    ];
    return {
      changes: [],
      sentence: `found ${lines.length === 1 ? '1 line' : `${lines.length} lines`} for ${query.pattern}`,
      captured: { key: 'matches', value: [...lines, ...notes].join('\n') },
      close() {},
    };
  };
