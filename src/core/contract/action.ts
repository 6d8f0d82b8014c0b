import { z } from 'zod';

/**
 * What a step performs. A plan file and a model write it as one line (`RUN_COMMAND npm test`); the plan
 * room parses and prints that line. Everywhere else an action is this data.
 */

const text = z.string();
const path = z.string().min(1);
const key = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a key is letters, digits and underscores');
const serviceName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'a service name is letters, digits, - and _');

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
  z.strictObject({ kind: z.literal('repeat'), times: z.int().min(1).max(10_000), do: SimpleAction }),
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
