import type { ModelRole } from '../../core/contract/index.ts';
import type { ModelNote } from '../../core/stream/index.ts';

export interface Trial {
  model: string;
  role: ModelRole;
}

/** What a note adds to the scores. `trial` gives back what was tried by this id, and forgets it. */
export function scoreBy(
  note: Exclude<ModelNote, { kind: 'tried' }>,
  trial: (id: string) => Trial | undefined,
): (Trial & { accepted: boolean }) | null {
  if (note.kind === 'scored') return note;
  const tried = trial(note.id);
  if (note.kind === 'dropped' || tried === undefined || note.unless?.includes(tried.role)) return null;
  return { ...tried, accepted: note.accepted };
}
