import type { AnyEvent, AnyKind, ModelNote, ModelScore, Scores } from '../../../core/stream/index.ts';
import { scoreBy, type Trial } from '../note-rules.ts';
import type { Database } from './database.ts';

/** Counts, in the transaction that appends. */
export function createScoreKeeper(db: Database) {
  const { tried, dropped, scored } = statements(db);
  const apply = (stream: number, note: ModelNote): void => {
    if (note.kind === 'tried') return void tried.run(stream, note.id, note.model, note.role);
    const score = scoreBy(note, (id) => dropped.get(stream, id) as unknown as Trial | undefined);
    if (score !== null) scored.run(score.model, score.role, Number(score.accepted));
  };
  return (stream: number, kind: AnyKind, events: readonly AnyEvent[]): void => {
    for (const event of events) {
      const note = kind.noteOf(event);
      if (note !== null) apply(stream, note);
    }
  };
}

const statements = (db: Database) => ({
  tried: db.prepare('INSERT OR IGNORE INTO model_trials (stream, id, model, role) VALUES (?, ?, ?, ?)'),
  dropped: db.prepare('DELETE FROM model_trials WHERE stream = ? AND id = ? RETURNING model, role'),
  scored: db.prepare(
    `INSERT INTO model_scores (model, role, asked, accepted) VALUES (?1, ?2, 1, ?3)
     ON CONFLICT (model, role) DO UPDATE SET asked = asked + 1, accepted = accepted + ?3`,
  ),
});

export function createScores(db: Database): Scores {
  const find = db.prepare(
    `SELECT model, role, asked, accepted FROM model_scores WHERE :role IS NULL OR role = :role
     ORDER BY role, model`,
  );
  return {
    modelScores: (role) =>
      db
        .read(() => find.all({ role: role ?? null }) as unknown as ModelScore[])
        .then((rows) => rows.map((row) => ({ ...row }))),
  };
}
