import { z } from 'zod';
import { fact } from './stream/fact.ts';
import { Place } from './stream/place.ts';

/** A repository that any machine can clone, and the commit that was agreed on. */
export const GitSource = z.strictObject({
  url: z.string(),
  /** What the person named, or what is checked out there: `refs/heads/main`. Left out: they named a commit. */
  ref: z.string().optional(),
  commit: z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/),
});
export type GitSource = z.infer<typeof GitSource>;

/** What a run has changed since the last time, kept where every machine of its fleet finds it. */
export const Parcel = z.strictObject({
  /** Names its bytes, which are beside the journal, among the logs of the stream. */
  name: z.string(),
  bytes: z.int().min(0),
  /** What the folder holds, as a commit that no branch has. */
  commit: z.string(),
  /** HEAD, branches and tags: a commit, or `ref: …`. */
  refs: z.record(z.string(), z.string()),
  /** Those with nothing in them, which git does not keep. */
  folders: z.array(z.string()),
});
export type Parcel = z.infer<typeof Parcel>;

/** What happens to runs of a git source besides. */
export const sourceFacts = [
  /** A machine has taken it up, and has all that was carried: it lives there from now on. */
  fact('place-taken', { place: Place }),
  /** What an attempt left goes wherever the run goes; null: it cannot, and the run stays where it is. */
  fact('work-carried', { parcel: Parcel.nullable(), message: z.string().optional() }),
] as const;
