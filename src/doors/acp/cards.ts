import { isAbsolute, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Plan, ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import {
  type Action,
  innermost,
  itemAt,
  type PathUse,
  pathsOf,
  type RunState,
  type StepState,
  shellText,
  toolParts,
} from '../../core/contract/index.ts';
import { stepNote, visible, visibleLines } from '../../core/contract/told/index.ts';
import { printAction } from '../../core/plan/index.ts';

/** What an editor shows of an action: its card, in the words that the protocol has for it. Pure. */

export const textContent = (text: string): ToolCallContent => ({
  type: 'content',
  content: { type: 'text', text },
});

/** Exactly this text, whatever is in it: the fence is longer than any that it could close. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** What a command printed, for people: its colours and cursor moves gone, what else cannot be seen spelled out. */
export const printed = (text: string): string =>
  visibleLines(stripVTControlCharacters(text.toWellFormed()).replaceAll('\r\n', '\n'));

/** An action as it is decided by: to the letter. */
export function actionBlock(action: Action): string {
  const shell = shellText(action);
  return shell === null ? fenced(visible(printAction(action))) : fenced(visibleLines(shell), 'sh');
}

const kinds: Partial<Record<PathUse, ToolKind>> = {
  read: 'read',
  list: 'read',
  delete: 'delete',
  'move-from': 'move',
  'move-to': 'move',
};

/** A tool of ours is what it stands for. */
const partsOf = (action: Action): readonly Action[] =>
  (action.kind === 'call-tool' ? toolParts(action) : null) ?? [action];

export function kindOf(action: Action): ToolKind {
  const part = innermost(partsOf(action)[0] ?? action);
  if (shellText(part) !== null) return 'execute';
  const [first] = pathsOf(part);
  return first === undefined ? 'other' : (kinds[first.use] ?? 'edit');
}

const MOST_LOCATIONS = 20;

/** The files that it names, where the editor can go to; `touched` are those that it was found to touch. */
export function locationsOf(
  action: Action,
  cwd: string,
  touched: readonly string[] = [],
): ToolCallLocation[] {
  const named = partsOf(action)
    .flatMap(pathsOf)
    .filter(({ use }) => use !== 'list')
    .map(({ path }) => resolve(cwd, path));
  const paths = new Set([...named, ...touched].filter((path) => isAbsolute(path) && !/[*?{]/.test(path)));
  return [...paths].slice(0, MOST_LOCATIONS).map((path) => ({ path }));
}

const entryStatus: Record<StepState['status'], Plan['entries'][number]['status']> = {
  pending: 'pending',
  running: 'in_progress',
  done: 'completed',
  // The protocol has no word for these: the note says what they are.
  failed: 'pending',
  interrupted: 'pending',
  skipped: 'completed',
};

/** The plan of a run as the editor's own; null where there is none yet. */
export function planOf(run: RunState): Plan | null {
  const { plan, steps } = run;
  if (plan === null) return null;
  const entries = plan.steps.map((step, at) => {
    const own = itemAt(steps, at);
    const note = own === undefined ? '' : stepNote(step, own, run);
    return {
      content: visible(note === '' ? step.title : `${step.title} (${note})`),
      priority: 'medium' as const,
      status: entryStatus[own?.status ?? 'pending'],
    };
  });
  return { entries };
}
