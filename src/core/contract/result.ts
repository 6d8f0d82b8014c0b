import { z } from 'zod';
import { SelfCorrect } from './tools.ts';

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

export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** A picture of a conversation. Its bytes are beside the journal, among the logs of its stream; this names them. */
export const Picture = z.strictObject({
  /** SHA-256 of its bytes. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  type: z.enum(pictureTypes),
  bytes: z.int().min(1),
  name: z.string().max(200),
});
export type Picture = z.infer<typeof Picture>;

/** Written as text it is a third longer, and 5 MB is the most that every provider takes. */
export const MAX_PICTURE_BYTES = 3_500_000;
/** With one message. */
export const MAX_PICTURES = 8;

/** What the first bytes say that it is; null where it is no picture that models take. */
export function pictureType(bytes: Uint8Array): Picture['type'] | null {
  const begins = (at: number, ...wanted: number[]) =>
    wanted.every((byte, index) => bytes[at + index] === byte);
  if (begins(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (begins(0, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (begins(0, 0x47, 0x49, 0x46, 0x38)) return 'image/gif';
  const isRiff = begins(0, 0x52, 0x49, 0x46, 0x46);
  return isRiff && begins(8, 0x57, 0x45, 0x42, 0x50) ? 'image/webp' : null;
}

/** Why it cannot be sent; null where it can. */
export function pictureProblem(name: string, bytes: Uint8Array): string | null {
  if (bytes.length > MAX_PICTURE_BYTES)
    return `${name} is larger than ${MAX_PICTURE_BYTES / 1e6} MB, which is the most for a picture`;
  return pictureType(bytes) === null ? `${name} is no PNG, JPEG, GIF or WebP` : null;
}

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
  'tool-failed',
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
  /** What it looked at, kept beside the journal. */
  picture: Picture.optional(),
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
  /** It ran in a sandbox. */
  sandboxed: z.literal(true).optional(),
  /** With which grant it would have gone on, where the sandbox and not the command was to blame. */
  missing: Grants.optional(),
  /** How far a script of several commands came that failed: those that ran, and the one that did not go well. */
  halfway: z.strictObject({ done: z.array(z.string()), failed: z.string() }).optional(),
  /** A tool failed, and another could do better. */
  selfCorrect: SelfCorrect.optional(),
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
