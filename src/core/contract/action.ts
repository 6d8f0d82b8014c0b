import { z } from 'zod';
import {
  type ActionRow,
  type ActionText,
  as,
  path as at,
  kept,
  type PathUse,
  rest,
  type Slot,
  type SlotsOf,
  shell,
  short,
  string,
  word,
} from './action-row.ts';

/**
 * What a step performs. A plan file and a model write it as one line (`RUN_COMMAND npm test`); the plan
 * room parses and prints that line. Everywhere else an action is this data.
 *
 * A new kind is a schema and a row here, a judgement in `core/risk/action.ts`, and a performance in
 * `world/actions/performances.ts`: each of these tables has a row for every kind, or does not compile.
 */

/** How often a loop goes round at most, and how many files a list holds. */
export const MAX_ITEMS = 10_000;
/** What later steps know a value by. */
export const KEY = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const SERVICE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

const text = z.string();
const path = z.string().min(1);
const key = z.string().regex(KEY, 'a key is letters, digits and underscores');
const serviceName = z.string().regex(SERVICE_NAME, 'a service name is letters, digits, - and _');

export const SimpleAction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('run-command'), command: text.min(1) }),
  z.strictObject({ kind: z.literal('run-script'), script: text.min(1) }),
  z.strictObject({ kind: z.literal('start'), name: serviceName, command: text.min(1), keep: z.boolean() }),
  z.strictObject({ kind: z.literal('stop'), name: serviceName }),
  z.strictObject({ kind: z.literal('write-file'), path, content: text }),
  z.strictObject({ kind: z.literal('append-file'), path, content: text }),
  z.strictObject({ kind: z.literal('edit-file'), path, old: text.min(1), new: text }),
  z.strictObject({ kind: z.literal('create-dir'), path }),
  z.strictObject({ kind: z.literal('copy-path'), from: path, to: path }),
  z.strictObject({ kind: z.literal('move-path'), from: path, to: path }),
  z.strictObject({ kind: z.literal('delete-path'), path }),
  z.strictObject({ kind: z.literal('list-files'), pattern: path, as: key }),
  z.strictObject({ kind: z.literal('read-file'), path, as: key }),
  z.strictObject({ kind: z.literal('call-tool'), tool: text.min(1), args: z.record(z.string(), z.json()) }),
  z.strictObject({ kind: z.literal('ask'), question: text.min(1), as: key }),
  z.strictObject({ kind: z.literal('manual'), text: text.min(1) }),
]);
export type SimpleAction = z.infer<typeof SimpleAction>;

/** A loop is one step; its items are frozen when it starts, and loops do not nest. */
export const LoopAction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('for-each'), list: key, do: SimpleAction }),
  z.strictObject({ kind: z.literal('repeat'), times: z.int().min(1).max(MAX_ITEMS), do: SimpleAction }),
]);
export type LoopAction = z.infer<typeof LoopAction>;

/** What a person, a runbook or a model may write. */
export const WrittenAction = z.union([SimpleAction, LoopAction]);
export type WrittenAction = z.infer<typeof WrittenAction>;

/**
 * Puts back what a run changed between these checkpoints, oldest first. Only an undo makes it: no plan file has a word
 * for it, and a plan or an edit that holds one is refused.
 */
export const RestoreAction = z.strictObject({
  kind: z.literal('restore'),
  run: z.string().min(1),
  ranges: z
    .array(z.strictObject({ before: z.string(), after: z.string(), unsure: z.literal(true).optional() }))
    .min(1),
  /** Conflicts that are to be restored all the same. */
  overwrite: z.union([z.array(path), z.literal('all')]),
});
export type RestoreAction = z.infer<typeof RestoreAction>;

/** What is performed at once: no loop. */
export type SingleAction = SimpleAction | RestoreAction;

export const Action = z.union([WrittenAction, RestoreAction]);
export type Action = z.infer<typeof Action>;
export type ActionKind = Action['kind'];
export type ActionOf<K extends ActionKind> = Extract<Action, { kind: K }>;

type ActionTable = {
  readonly [K in ActionKind]: ActionRow<
    ActionOf<K>,
    K extends SimpleAction['kind'] ? SlotsOf<ActionOf<K>> : null
  >;
};

/** The action language: read by the parser, the printer, the validator and whoever tells of an action. */
export const ACTIONS: ActionTable = {
  'run-command': {
    keyword: 'RUN_COMMAND',
    slots: { command: shell('command') },
    usage: 'RUN_COMMAND npm test',
    means: 'one shell command on one line',
    title: ({ command }) => `Run ${short(command)}`,
    says: () => '',
    shown: ({ command }) => ({ verb: null, text: command }),
  },
  'run-script': {
    keyword: 'RUN_SCRIPT',
    slots: { script: shell('script', true) },
    usage: 'RUN_SCRIPT "first line\\nsecond line"',
    means: 'a shell script, its line breaks written as \\n',
    title: ({ script }) => `Run ${short(script)}`,
    says: () => '',
    shown: ({ script }) => ({ verb: null, text: script }),
  },
  start: {
    keyword: 'START',
    slots: {
      name: { slot: 'name', label: 'service name' },
      keep: { slot: 'flag', word: 'KEEP' },
      command: shell('command'),
    },
    usage: 'START name command',
    means:
      'a service that goes on; it is ready when `expects` holds, and ends with the run; KEEP lets it live on',
    title: ({ name }) => `Start ${name}`,
    says: ({ name, keep }) => `Starts the service ${name}${keep ? ', which stays after the run' : ''}:`,
    shown: ({ name, keep, command }) => ({
      verb: `start ${name}${keep ? ', kept after the run' : ''}`,
      text: command,
    }),
  },
  stop: {
    keyword: 'STOP',
    slots: { name: { slot: 'name', label: 'service name' } },
    usage: 'STOP name',
    means: 'ends a service that START began',
    title: ({ name }) => `Stop ${name}`,
    says: ({ name }) => `Stops the service ${name}.`,
    shown: ({ name }) => ({ verb: 'stop', text: name }),
  },
  'write-file': {
    keyword: 'WRITE_FILE',
    slots: { path: at('write'), content: kept('content') },
    usage: 'WRITE_FILE path "content"',
    means: 'the whole file, its folder must exist; line breaks written as \\n',
    title: ({ path }) => `Write ${short(path)}`,
    says: ({ path, content }) => `Writes ${path} (${content.length} characters), replacing what is there.`,
    shown: ({ path, content }) => ({ verb: 'write', text: path, body: content }),
  },
  'append-file': {
    keyword: 'APPEND_FILE',
    slots: { path: at('write'), content: kept('content') },
    usage: 'APPEND_FILE path "content"',
    means: 'adds to the end of a file',
    title: ({ path }) => `Append to ${short(path)}`,
    says: ({ path, content }) => `Adds ${content.length} characters to the end of ${path}.`,
    shown: ({ path, content }) => ({ verb: 'append to', text: path, body: content }),
  },
  'edit-file': {
    keyword: 'EDIT_FILE',
    slots: { path: at('edit'), old: string('old text'), new: kept('new text') },
    usage: 'EDIT_FILE path "old" "new"',
    means: 'replaces a text that occurs exactly once',
    title: ({ path }) => `Edit ${short(path)}`,
    says: ({ path }) => `Replaces a piece of ${path}.`,
    shown: (action) => ({ verb: 'edit', text: action.path, swap: { old: action.old, new: action.new } }),
  },
  'create-dir': {
    keyword: 'CREATE_DIR',
    slots: { path: at('make') },
    usage: 'CREATE_DIR path',
    means: 'a folder, with those above it',
    title: ({ path }) => `Create the folder ${short(path)}`,
    says: ({ path }) => `Makes the folder ${path}.`,
    shown: ({ path }) => ({ verb: 'create folder', text: path }),
  },
  'copy-path': {
    keyword: 'COPY_PATH',
    slots: { from: at('copy-from'), to: at('copy-to', 'second path') },
    usage: 'COPY_PATH from to',
    means: 'a file or a folder; `to` is the new name',
    title: ({ from, to }) => `Copy ${short(from)} to ${short(to)}`,
    says: ({ from, to }) => `Copies ${from} to ${to}.`,
    shown: ({ from, to }) => ({ verb: 'copy', text: `${from} → ${to}` }),
  },
  'move-path': {
    keyword: 'MOVE_PATH',
    slots: { from: at('move-from'), to: at('move-to', 'second path') },
    usage: 'MOVE_PATH from to',
    means: 'a file or a folder; `to` is the new name',
    title: ({ from, to }) => `Move ${short(from)} to ${short(to)}`,
    says: ({ from, to }) => `Moves ${from} to ${to}.`,
    shown: ({ from, to }) => ({ verb: 'move', text: `${from} → ${to}` }),
  },
  'delete-path': {
    keyword: 'DELETE_PATH',
    slots: { path: at('delete') },
    usage: 'DELETE_PATH path',
    means: 'a file or a folder with all in it',
    title: ({ path }) => `Delete ${short(path)}`,
    says: ({ path }) => `Deletes ${path}.`,
    shown: ({ path }) => ({ verb: 'delete', text: path }),
  },
  'list-files': {
    keyword: 'LIST_FILES',
    slots: { pattern: at('list', 'pattern'), as: as('list') },
    usage: 'LIST_FILES src/**/*.ts AS key',
    means: 'makes the list `key` for FOR_EACH',
    title: ({ pattern }) => `List ${short(pattern)}`,
    says: (action) => `Lists the files that match ${action.pattern}, as ${action.as}.`,
    shown: (action) => ({ verb: `list as ${action.as}`, text: action.pattern }),
  },
  'read-file': {
    keyword: 'READ_FILE',
    slots: { path: at('read'), as: as('text') },
    usage: 'READ_FILE path AS key',
    means: 'makes the text `key`, used as {key} in later actions',
    title: ({ path }) => `Read ${short(path)}`,
    says: (action) => `Reads ${action.path}, as ${action.as}.`,
    shown: (action) => ({ verb: `read as ${action.as}`, text: action.path }),
  },
  'call-tool': {
    keyword: 'CALL_TOOL',
    slots: { tool: word('tool name'), args: { slot: 'json' } },
    usage: 'CALL_TOOL name {"json": "args"}',
    means: 'calls a tool with JSON arguments',
    title: ({ tool }) => `Call ${short(tool)}`,
    says: ({ tool }) => `Calls the tool ${tool}.`,
    shown: ({ tool, args }) => ({ verb: `call ${tool}`, text: JSON.stringify(args) }),
  },
  ask: {
    keyword: 'ASK',
    slots: { question: string('question'), as: as('text') },
    usage: 'ASK "question?" AS key',
    means: 'asks the person and makes the text `key`',
    title: ({ question }) => `Ask: ${short(question)}`,
    says: ({ question }) => `Asks: ${question}`,
    shown: (action) => ({ verb: `ask for ${action.as}`, text: action.question }),
  },
  manual: {
    keyword: 'MANUAL',
    slots: { text: rest('text') },
    usage: 'MANUAL "what the person does"',
    means: 'something that only the person can do',
    title: ({ text }) => `By hand: ${short(text)}`,
    says: ({ text }) => `A person does it: ${text}`,
    shown: ({ text }) => ({ verb: 'by hand', text }),
  },
  'for-each': {
    keyword: 'FOR_EACH',
    slots: null,
    usage: 'FOR_EACH key DO action',
    means:
      'repeats one action for each file of a list that exists before; {item} is a full absolute path, one word',
    title: (loop) => `For each of ${loop.list}: ${lowerFirst(describeAction(loop.do))}`,
    says: ({ list }) => `For each of ${list}:`,
    shown: (loop) => shownLoop(`for each of ${loop.list}`, loop.do),
  },
  repeat: {
    keyword: 'REPEAT',
    slots: null,
    usage: 'REPEAT 3 DO action',
    means: 'repeats one action; {index} counts from 0, {index:03d} pads it',
    title: (loop) => `${loop.times} times: ${lowerFirst(describeAction(loop.do))}`,
    says: ({ times }) => `${times} times:`,
    shown: (loop) => shownLoop(`${loop.times} times`, loop.do),
  },
  restore: {
    keyword: 'RESTORE',
    slots: null,
    usage: 'RESTORE run',
    means: 'puts back what a run changed; only an undo makes it',
    title: ({ run }) => `Put back what run ${run} changed`,
    says: ({ run }) => `Puts back what run ${run} changed, where nobody has changed it since.`,
    shown: () => ({ verb: 'undo', text: 'puts back what the run changed' }),
  },
};

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);

function shownLoop(how: string, body: SimpleAction): ActionText {
  const inner = actionText(body);
  return { ...inner, verb: inner.verb === null ? how : `${how}: ${inner.verb}` };
}

export const rowOf = (action: Action): ActionRow<Action, Readonly<Record<string, Slot>> | null> =>
  ACTIONS[action.kind];

export const describeAction = (action: Action): string => rowOf(action).title(action);
export const actionText = (action: Action): ActionText => rowOf(action).shown(action);

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
