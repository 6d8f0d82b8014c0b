import type { Action } from '@contract';

/** The text that an edit box starts with, and which kind of action it becomes. */
export function editableText(action: Action): string | null {
  if (action.kind === 'run-command') return action.command;
  if (action.kind === 'run-script') return action.script;
  return null;
}

export function withEditedText(action: Action, text: string): Action {
  if (action.kind === 'run-script') return { kind: 'run-script', script: text };
  return text.includes('\n') ? { kind: 'run-script', script: text } : { kind: 'run-command', command: text };
}
