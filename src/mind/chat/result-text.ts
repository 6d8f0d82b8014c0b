import type { CallState, StepResult } from '../../core/contract/index.ts';

/** So much of one result is told to a model. */
const LONGEST = 30_000;

/** What came of a call, as the model is told. */
export function resultText(call: CallState, workspace: string): string {
  const { status, text, result } = call;
  if (status !== 'done') return 'Not done: the person stopped it.';
  const edited = call.written == null ? '' : `The person changed the call to ${JSON.stringify(call.args)}.\n`;
  if (text !== null) return edited + cut(text);
  return edited + (result === null ? 'Not done.' : cut(said(call, result, workspace)));
}

function said({ tool, args }: CallState, result: StepResult, workspace: string): string {
  const { captured, why, message, exitCode, stdoutTail, stderrTail, outputTruncated } = result;
  if (why !== undefined && exitCode === null) return `Error: ${message ?? why}`;
  if (result.picture !== undefined) return 'The picture is shown with the message.';
  if (captured !== undefined) {
    const { value } = captured;
    if (Array.isArray(value))
      return value.map((path) => within(path, workspace)).join('\n') || 'No files match.';
    if (tool === 'read_file') return lines(value, args as { from?: number; lines?: number });
    return value === '' ? 'Nothing was found.' : value;
  }
  if (exitCode === null) return stdoutTail.trim() || message || 'Done.';
  return [
    `exit code ${exitCode}${message === undefined ? '' : ` (${message})`}`,
    ...(stdoutTail === '' ? [] : [`stdout${outputTruncated ? ' (the end of it)' : ''}:`, stdoutTail]),
    ...(stderrTail === '' ? [] : ['stderr:', stderrTail]),
  ].join('\n');
}

function lines(text: string, { from = 1, lines: count }: { from?: number; lines?: number }): string {
  if (from === 1 && count === undefined) return text === '' ? 'The file is empty.' : text;
  const all = text.split('\n');
  const end = count === undefined ? all.length : from - 1 + count;
  return all.slice(from - 1, end).join('\n') || `The file has ${all.length} lines.`;
}

const within = (path: string, workspace: string): string =>
  path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;

const cut = (text: string): string =>
  text.length > LONGEST
    ? `${text.slice(0, LONGEST / 2)}\n[${text.length - LONGEST} characters left out]\n${text.slice(-LONGEST / 2)}`
    : text;
