import { z } from 'zod';

/** The directory and environment that a command leaves for the next one, as in a person's shell. */
export const Session = z.strictObject({
  cwd: z.string(),
  /** What differs from the environment the run was given: a value, or null where it was unset. */
  env: z.record(z.string(), z.string().nullable()),
  /** What the shell alone knows: variables that were not exported, and functions as they were written. */
  defined: z
    .strictObject({
      variables: z.record(z.string(), z.string()),
      functions: z.record(z.string(), z.string()),
    })
    .optional(),
});
export type Session = z.infer<typeof Session>;

/** A value that a step captured (`AS key`), or that a person gave: text, or a list for FOR_EACH. */
export const Value = z.union([z.string(), z.array(z.string())]);
export type Value = z.infer<typeof Value>;

/** Those of the values that are text: a list is gone through, and can be put in nowhere. */
export const textsOf = (values: Readonly<Record<string, Value>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

/** What a person has let a sandboxed step do beyond its sandbox: just this. */
export const Grants = z.strictObject({
  network: z.boolean().optional(),
  write: z.array(z.string()).optional(),
  privilege: z.boolean().optional(),
});
export type Grants = z.infer<typeof Grants>;

/** How the check of `expects` came out. `null` in a result: nothing checkable was expected. */
export const ExpectationResult = z.strictObject({ held: z.boolean(), sentence: z.string() });
export type ExpectationResult = z.infer<typeof ExpectationResult>;

/**
 * Why an attempt did not do what it should. One word, so that a machine can act on it.
 * `precheck`: a look told that it would fail, so it was not tried; `aborted`: the driver ended it because a person asked; `denied`: an approval was refused.
 */
export const FailureWhy = z.enum([
  'exit-code',
  'signal',
  'timeout',
  'aborted',
  'expectation',
  'not-started',
  'precheck',
  'blocked',
  'denied',
  'no-terminal',
  'sandbox-denied',
  'unsupported',
  'internal',
]);
export type FailureWhy = z.infer<typeof FailureWhy>;

/** What one attempt did. A failure has the same shape, plus `why` and a sentence. */
export const StepResult = z.strictObject({
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  durationMs: z.number().min(0),
  /** Present where the action can change it: commands and scripts. */
  session: Session.optional(),
  expectation: ExpectationResult.nullable(),
  /** The last few kilobytes, secrets filtered; the whole is in the output log. */
  stdoutTail: z.string(),
  stderrTail: z.string(),
  outputBytes: z.int().min(0),
  outputTruncated: z.boolean(),
  /** Processes of the attempt's group outlived it; they end with the run. */
  leftover: z.boolean(),
  captured: z.strictObject({ key: z.string(), value: Value }).optional(),
  /** The step started a service, or stopped one. */
  service: z
    .strictObject({ name: z.string(), state: z.enum(['started', 'stopped']), keep: z.boolean() })
    .optional(),
  /** The step took something back: so many paths, and what was left as it is. */
  restored: z
    .strictObject({
      count: z.int().min(0),
      left: z.array(z.strictObject({ path: z.string(), why: z.string() })),
      leftCount: z.int().min(0),
    })
    .optional(),
  /** With which grant it would have gone on, where the sandbox and not the command was to blame. */
  missing: Grants.optional(),
  /** How far a script of several commands came that failed: those that ran, and the one that did not go well. */
  halfway: z.strictObject({ done: z.array(z.string()), failed: z.string() }).optional(),
  why: FailureWhy.optional(),
  message: z.string().optional(),
});
export type StepResult = z.infer<typeof StepResult>;

/**
 * What a file action is about to make of one path: `absent`, `dir`, `file:<sha-256>` or `link:<target>`, before
 * and after. Durable before the change is made, so that after a crash one look tells whether it was.
 */
export const FileChange = z.strictObject({ path: z.string(), before: z.string(), after: z.string() });
export type FileChange = z.infer<typeof FileChange>;

/** A process group that a run started, named so that a reused pid is never mistaken for it. */
export const ProcessGroup = z.strictObject({
  pgid: z.int().positive(),
  startTime: z.string(),
  host: z.string(),
  boot: z.string(),
});
export type ProcessGroup = z.infer<typeof ProcessGroup>;
