import { z } from 'zod';
import { Correction } from '../correction.ts';
import { RequestBody } from '../requests.ts';
import { RunRow } from '../run/project.ts';

/** Which bytes of an attempt's output. `wait` (milliseconds): answer only when there is more, or it has ended. */
export const OutputQuery = z.strictObject({
  offset: z.coerce.number<number | string>().int().min(0).default(0),
  limit: z.coerce
    .number<number | string>()
    .int()
    .min(1)
    .max(1024 * 1024)
    .default(256 * 1024),
  wait: z.coerce.number<number | string>().int().min(0).max(30_000).default(0),
  /** The whole of it as a file. */
  download: z.string().optional(),
});
export type OutputQuery = z.input<typeof OutputQuery>;

/** Part of an attempt's output. Read on at `next`: it is beyond the last byte where something was left out. */
export interface OutputPart {
  bytes: Uint8Array;
  next: number;
  /** How long the whole is so far. */
  size: number;
  /** No more will come. */
  ended: boolean;
  /** How much is noted of what came from stderr; grown: `outputErrors` has more. */
  noted: number;
}

/** What of an output came from stderr: places in the whole, from the first to before the second. */
export const OutputErrors = z.strictObject({ ranges: z.array(z.tuple([z.int(), z.int()])) });

/** The headers that say about a part what its bytes cannot. */
export const outputHeaders = {
  next: 'planwright-output-next',
  size: 'planwright-output-size',
  ended: 'planwright-output-ended',
  noted: 'planwright-output-noted',
} as const;

/** Without `step`: all that the run changed. */
export const DiffQuery = z.strictObject({ step: z.string().optional() });

export const ChangedFile = z.strictObject({
  path: z.string(),
  kind: z.enum(['added', 'removed', 'modified', 'mode', 'type-changed']),
});
export type ChangedFile = z.infer<typeof ChangedFile>;
/** `text` is a unified diff of all files. `uncovered`: what changed, or may have, and is not held. */
export const DiffView = z.strictObject({
  files: z.array(ChangedFile),
  text: z.string(),
  uncovered: z.array(z.strictObject({ path: z.string(), why: z.string() })),
});
export type DiffView = z.infer<typeof DiffView>;

/** `to`: the step to go back before; the whole run where it is left out. `force`: paths to restore all the same. */
export const Undo = z.strictObject({
  to: z.string().optional(),
  dryRun: z.boolean().optional(),
  force: z.union([z.literal('all'), z.array(z.string())]).optional(),
  /** Leave out the undo actions that the plan declares. */
  filesOnly: z.boolean().optional(),
});
export type Undo = z.infer<typeof Undo>;

/** Why an undo leaves a path alone. */
export const UndoConflict = z.enum(['changed-since', 'unknown', 'blocked', 'not-empty', 'between']);
export type UndoConflict = z.infer<typeof UndoConflict>;

/**
 * What is put back as it was before the run, each path with what the run had done to it (what it added is deleted), and
 * what is left alone and why. An undo is a run of its own: `run`,
 * null where there was nothing to do; it may wait for an approval.
 */
export const UndoView = z.strictObject({
  dryRun: z.boolean(),
  restored: z.array(ChangedFile),
  conflicts: z.array(z.strictObject({ path: z.string(), why: UndoConflict })),
  /** What changed and no checkpoint holds. */
  failed: z.array(z.strictObject({ path: z.string(), why: z.string() })),
  /** What no undo can bring back, in sentences. */
  beyond: z.array(z.string()),
  /** Undo actions that the plan declares, as lines, in the order in which they are performed. */
  actions: z.array(z.strictObject({ title: z.string(), action: z.string() })),
  run: z.string().nullable(),
  state: RunRow.shape.state.nullable(),
});
export type UndoView = z.infer<typeof UndoView>;

/** What was objected to, by the name of the verdict. */
export const Allow = z.strictObject({ verdict: z.string().min(1).max(100) });
/** What was done, in a sentence. */
export const Allowed = z.strictObject({ message: z.string() });

/**
 * What the brains that cost nothing make of the step that failed. `stepId` is null where none did. `requests` do as
 * proposed, as a person's own: null where nobody is sure, or what is proposed does not fit the plan.
 */
export const AdviceView = z.strictObject({
  stepId: z.string().nullable(),
  correction: Correction.nullable(),
  requests: z.array(RequestBody).nullable(),
});
export type AdviceView = z.infer<typeof AdviceView>;

/** A service that a run started and that nobody has ended. Its log is the output of that attempt of its step. */
export const ServiceView = z.strictObject({
  run: z.string(),
  name: z.string(),
  stepId: z.string(),
  attemptIndex: z.int(),
  workspace: z.string(),
  goal: z.string(),
  command: z.string(),
  /** It is not ended with its run. */
  keep: z.boolean(),
  /** Null: it is on another host. */
  alive: z.boolean().nullable(),
  runEnded: z.boolean(),
  /** The ports that it listens on, where that can be seen. */
  ports: z.array(z.int()),
  /** When its step was begun. */
  since: z.number().nullable(),
});
export type ServiceView = z.infer<typeof ServiceView>;

export const ServicesQuery = z.strictObject({ workspace: z.string().optional() });
export const Services = z.strictObject({ services: z.array(ServiceView) });
