import type { Action, RestoreAction, SimpleAction } from '../contract/index.ts';

export type ShellAction = Extract<SimpleAction, { kind: 'run-command' | 'run-script' | 'start' }>;

/** What a loop repeats; any other action is itself. */
export const innerAction = (action: Action): SimpleAction | RestoreAction =>
  action.kind === 'for-each' || action.kind === 'repeat' ? action.do : action;

export const isShellAction = (action: Action): action is ShellAction =>
  action.kind === 'run-command' || action.kind === 'run-script' || action.kind === 'start';

/** The text that a shell reads, of a loop that of what it repeats; null for the actions that run none. */
export function shellText(action: Action): string | null {
  const inner = innerAction(action);
  if (!isShellAction(inner)) return null;
  return inner.kind === 'run-script' ? inner.script : inner.command;
}

/** The same action with another text. */
export const withText = (action: ShellAction, text: string): ShellAction =>
  action.kind === 'run-script' ? { ...action, script: text } : { ...action, command: text };
