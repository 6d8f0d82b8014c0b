import type { AnyEvent, AnyKind, ModelScore, Scores } from '../../../core/stream/index.ts';
import { scoreBy, type Trial } from '../note-rules.ts';
import type { PostgresDatabase, Queries } from './connection.ts';

/** Counts, in the transaction that appends. */
export async function keepScores(
  tx: Queries,
  stream: number,
  kind: AnyKind,
  events: readonly AnyEvent[],
): Promise<void> {
  for (const event of events) {
    const note = kind.noteOf(event);
    if (note === null) continue;
    if (note.kind === 'tried') {
      await tx.query(tried, [stream, note.id, note.model, note.role]);
      continue;
    }
    const [trial] = note.kind === 'scored' ? [] : await tx.query<Trial>(dropped, [stream, note.id]);
    const score = scoreBy(note, () => trial);
    if (score !== null) await tx.query(scored, [score.model, score.role, Number(score.accepted)]);
  }
}

const tried = `
  INSERT INTO model_trials (stream, id, model, role) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`;
const dropped = 'DELETE FROM model_trials WHERE stream = $1 AND id = $2 RETURNING model, role';
const scored = `
  INSERT INTO model_scores AS s (model, role, asked, accepted) VALUES ($1, $2, 1, $3)
  ON CONFLICT (model, role) DO UPDATE SET asked = s.asked + 1, accepted = s.accepted + excluded.accepted`;

export const createScores = (db: PostgresDatabase): Scores => ({
  modelScores: (role) =>
    db.query<ModelScore>(
      `SELECT model, role, asked, accepted FROM model_scores WHERE $1::text IS NULL OR role = $1
       ORDER BY role, model`,
      [role ?? null],
    ),
});
