import { ACTIONS, type Action, type LoopAction, type SingleAction } from './action.ts';
import type { ActionRow, ActionText, PathUse, Slot } from './action-row.ts';

/** What the table of actions says of one action. */

export const rowOf = (action: Action): ActionRow<Action, Readonly<Record<string, Slot>> | null> =>
  ACTIONS[action.kind];

/** A title for a step that has none. */
export function describeAction(action: Action): string {
  const title = rowOf(action).title(action);
  if (!isLoop(action)) return title;
  const inner = describeAction(action.do);
  return `${title} ${inner.slice(0, 1).toLowerCase()}${inner.slice(1)}`;
}

export function actionText(action: Action): ActionText {
  const shown = rowOf(action).shown(action);
  if (!isLoop(action)) return shown;
  const inner = actionText(action.do);
  return { ...inner, verb: inner.verb === null ? shown.verb : `${shown.verb}: ${inner.verb}` };
}

export const isLoop = (action: Action): action is LoopAction => 'do' in action;
/** What a loop repeats; any other action is itself. */
export const innermost = (action: Action): SingleAction => (isLoop(action) ? action.do : action);

export interface ActionField {
  field: string;
  slot: Slot;
  value: unknown;
}

/** The fields of an action with what they are, in the order of its line; of a loop or a restore, none. */
export function fieldsOf(action: Action): ActionField[] {
  const values: Readonly<Record<string, unknown>> = { ...action };
  return Object.entries(rowOf(action).slots ?? {}).map(([field, slot]) => ({
    field,
    slot,
    value: values[field],
  }));
}

const shellField = (action: SingleAction): ActionField | undefined =>
  fieldsOf(action).find(({ slot }) => slot.slot === 'rest' && slot.isShell);

/** The text that a shell reads, in a loop too; null where it runs none. */
export function shellText(action: Action): string | null {
  const found = shellField(innermost(action));
  return found === undefined ? null : String(found.value);
}

/** The same action with another text for the shell; as it is where it runs none. */
export function withShellText<A extends SingleAction>(action: A, text: string): A {
  const found = shellField(action);
  return found === undefined ? action : { ...action, [found.field]: text };
}

/** The paths that an action names, and what it does with each; of a loop, those of what it repeats. */
export const pathsOf = (action: Action): { field: string; path: string; use: PathUse }[] =>
  fieldsOf(innermost(action)).flatMap(({ field, slot, value }) =>
    slot.slot === 'word' && slot.use !== null ? [{ field, path: String(value), use: slot.use }] : [],
  );
