import type { Action } from '@contract';

export interface ActionText {
  /** What kind of thing it does, where that is not running a command. */
  verb: string | null;
  /** What is run, or what it is done to. Offsets of a verdict point into the command of a command. */
  text: string;
  /** Longer content, shown below: what is written into a file, a script's lines. */
  body?: string;
  /** Text that replaces other text. */
  swap?: { old: string; new: string };
}

/** An action as a person reads it. The exact action is data; this is never parsed again. */
export function actionText(action: Action): ActionText {
  switch (action.kind) {
    case 'run-command':
      return { verb: null, text: action.command };
    case 'run-script':
      return { verb: null, text: action.script };
    case 'start':
      return {
        verb: `start ${action.name}${action.keep ? ', kept after the run' : ''}`,
        text: action.command,
      };
    case 'stop':
      return { verb: 'stop', text: action.name };
    case 'write-file':
      return { verb: 'write', text: action.path, body: action.content };
    case 'append-file':
      return { verb: 'append to', text: action.path, body: action.content };
    case 'edit-file':
      return { verb: 'edit', text: action.path, swap: { old: action.old, new: action.new } };
    case 'create-dir':
      return { verb: 'create folder', text: action.path };
    case 'copy-path':
      return { verb: 'copy', text: `${action.from} → ${action.to}` };
    case 'move-path':
      return { verb: 'move', text: `${action.from} → ${action.to}` };
    case 'delete-path':
      return { verb: 'delete', text: action.path };
    case 'list-files':
      return { verb: `list as ${action.as}`, text: action.pattern };
    case 'read-file':
      return { verb: `read as ${action.as}`, text: action.path };
    case 'call-tool':
      return { verb: `call ${action.tool}`, text: JSON.stringify(action.args) };
    case 'ask':
      return { verb: `ask for ${action.as}`, text: action.question };
    case 'manual':
      return { verb: 'by hand', text: action.text };
    case 'restore':
      return { verb: 'undo', text: 'puts back what the run changed' };
    case 'for-each':
      return { ...actionText(action.do), verb: `for each of ${action.list}${inner(action.do)}` };
    case 'repeat':
      return { ...actionText(action.do), verb: `${action.times} times${inner(action.do)}` };
  }
}

const inner = (action: Action) => {
  const { verb } = actionText(action);
  return verb === null ? '' : `: ${verb}`;
};

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
