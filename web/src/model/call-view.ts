import type { CallState, ChatState, RiskLevel } from '@contract';
import { approvalOf } from '@contract';
import { duration } from '@told';

/** A change as lines: what goes and what comes. */
export interface CallDiff {
  path: string;
  lines: { kind: 'add' | 'del'; text: string }[];
}

type Given = Readonly<Record<string, unknown>>;

const given = ({ args }: Pick<CallState, 'args'>): Given =>
  typeof args === 'object' && args !== null && !Array.isArray(args) ? (args as Given) : {};
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const lines = (text: string, kind: 'add' | 'del') =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => ({ kind, text: line }));

/** What a call would change, or has changed, as it was asked for; empty where it changes no text. */
export function callDiffs(call: Pick<CallState, 'tool' | 'args'>): CallDiff[] {
  const args = given(call);
  const swap = (one: Given): CallDiff[] => {
    const [path, before, after] = [textOf(one['path']), textOf(one['old']), textOf(one['new'])];
    if (path === null || before === null || after === null) return [];
    return [{ path, lines: [...lines(before, 'del'), ...lines(after, 'add')] }];
  };
  switch (call.tool) {
    case 'edit_file':
      return swap(args);
    case 'multi_file_edit':
      return Array.isArray(args['edits']) ? args['edits'].flatMap((one) => swap((one ?? {}) as Given)) : [];
    case 'write_file': {
      const [path, content] = [textOf(args['path']), textOf(args['content'])];
      return path === null || content === null ? [] : [{ path, lines: lines(content, 'add') }];
    }
    default:
      return [];
  }
}

/** What it is about, in one line: the command, the path, the pattern. */
export function callAbout(call: Pick<CallState, 'tool' | 'args'>): string {
  const args = given(call);
  const known = ['command', 'path', 'pattern', 'question', 'goal'].map((name) => textOf(args[name]));
  const found = known.find((text) => text !== null);
  if (found != null) return found;
  if (Array.isArray(args['edits']))
    return [...new Set(args['edits'].flatMap((one) => textOf((one as Given)?.['path']) ?? []))].join(', ');
  return Object.keys(args).length === 0 ? '' : JSON.stringify(args);
}

export interface CallStatus {
  word: string;
  tone: 'done' | 'fail' | 'wait' | 'going' | 'quiet';
}

/** How far a call has come, in a word or two. `isOver`: its turn has ended. */
export function callStatus(
  call: CallState,
  state: Pick<ChatState, 'approvals' | 'question'>,
  isOver: boolean,
): CallStatus {
  const { status, result, by } = call;
  if (status === 'done') {
    if (result?.why === 'denied') return { word: 'denied', tone: 'fail' };
    if (result?.why !== undefined)
      return { word: result.why === 'blocked' ? 'blocked' : 'failed', tone: 'fail' };
    if (by === 'person') return { word: call.tool === 'ask_user' ? 'answered' : 'done by you', tone: 'done' };
    if (by === 'nobody') return { word: 'not known whether it was done', tone: 'wait' };
    const ms = result?.durationMs ?? 0;
    return { word: ms >= 1000 ? `done in ${duration(ms)}` : 'done', tone: 'done' };
  }
  if (isOver) return { word: 'not done', tone: 'quiet' };
  if (status === 'running') return { word: 'running', tone: 'going' };
  if (state.question?.callId === call.id) return { word: 'waits for your answer', tone: 'wait' };
  if (approvalOf(state, call.id)?.status === 'needed') return { word: 'waits for you', tone: 'wait' };
  return { word: 'to come', tone: 'quiet' };
}

export const callRisk = ({ judged }: CallState): RiskLevel | null => judged?.verdict.level ?? null;

/** What came of a call, as text; empty where there is nothing to read. */
export function callResult({ text, result, tool }: CallState, workspace: string): string {
  if (text !== null) return text;
  if (result === null) return '';
  const { captured, why, message, exitCode, stdoutTail, stderrTail } = result;
  if (captured !== undefined) {
    const { value } = captured;
    if (Array.isArray(value))
      return value.map((path) => within(path, workspace)).join('\n') || 'No files match.';
    return value === '' ? (tool === 'read_file' ? 'The file is empty.' : 'Nothing was found.') : value;
  }
  const failed = why === undefined || message === undefined ? [] : [message];
  const code = exitCode === null || exitCode === 0 ? [] : [`exit code ${exitCode}`];
  return [...failed, ...code, stdoutTail.trimEnd(), stderrTail.trimEnd()]
    .filter((part) => part !== '')
    .join('\n');
}

const within = (path: string, workspace: string): string =>
  path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
