import type { StatementSync } from 'node:sqlite';
import { type ModelRole, printModelName, type RunEvent } from '../../core/contract/index.ts';
import type { Database } from './database.ts';

/** How often the answers of a model were good enough for what it was asked for. */
export interface ModelScore {
  /** `PROVIDER/MODEL`. */
  model: string;
  role: string;
  asked: number;
  accepted: number;
}

export interface Scores {
  /** Of all runs that there ever were, those that have been removed included. */
  modelScores(role?: ModelRole): Promise<ModelScore[]>;
}

/**
 *   planner   a draft is rejected ✗, or proposed to a person ✓
 *   brain     a correction is refused or does not help ✗, or helps ✓
 *   fast,     an answer arrives ✓
 *   chat
 *   all       an answer is not what was asked for, or the model does not want to ✗
 *
 * What a provider or the network did (errors, limits, timeouts) says nothing about the model's answers.
 */
type Change =
  /** Something that is judged later, by its id. */
  | { kind: 'tried'; id: string; model: string; role: ModelRole }
  | { kind: 'judged'; id: string; accepted: boolean; unless?: readonly ModelRole[] }
  | { kind: 'dropped'; id: string }
  | { kind: 'scored'; model: string; role: ModelRole; accepted: boolean };

/** Their answers are judged by what comes of them. */
const judgedLater: readonly ModelRole[] = ['planner', 'brain'];

function changeBy(event: RunEvent): Change | null {
  switch (event.type) {
    case 'model-call-started':
      return { kind: 'tried', id: event.callId, model: printModelName(event), role: event.role };
    case 'model-call-finished': {
      const { callId: id, outcome, replayed } = event;
      if (replayed) return { kind: 'dropped', id };
      if (outcome === 'invalid' || outcome === 'refused') return { kind: 'judged', id, accepted: false };
      return outcome === 'ok'
        ? { kind: 'judged', id, accepted: true, unless: judgedLater }
        : { kind: 'dropped', id };
    }
    case 'draft-rejected':
    case 'plan-proposed':
      return {
        kind: 'scored',
        model: printModelName(event.model),
        role: 'planner',
        accepted: event.type === 'plan-proposed',
      };
    case 'correction-attempt': {
      const { brain, name } = event.correction.source;
      return brain === 'model' ? { kind: 'tried', id: event.correctionId, model: name, role: 'brain' } : null;
    }
    case 'correction-refused':
    case 'correction-failed':
    case 'correction-success':
      return { kind: 'judged', id: event.correctionId, accepted: event.type === 'correction-success' };
    default:
      return null;
  }
}

/** Counts, in the transaction that appends. */
export function createScoreKeeper(db: Database) {
  // Prepared when first used: most runs ask no model.
  let sql: Record<'tried' | 'dropped' | 'scored', StatementSync> | null = null;
  const apply = (stream: number, change: Change): void => {
    sql ??= statements(db);
    switch (change.kind) {
      case 'tried':
        return void sql.tried.run(stream, change.id, change.model, change.role);
      case 'scored':
        return void sql.scored.run(change.model, change.role, Number(change.accepted));
      case 'judged': {
        const trial = sql.dropped.get(stream, change.id) as { model: string; role: ModelRole } | undefined;
        if (trial === undefined || change.unless?.includes(trial.role)) return;
        return void sql.scored.run(trial.model, trial.role, Number(change.accepted));
      }
      case 'dropped':
        sql.dropped.get(stream, change.id);
    }
  };
  return (stream: number, events: readonly RunEvent[]): void => {
    for (const event of events) {
      const change = changeBy(event);
      if (change !== null) apply(stream, change);
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
