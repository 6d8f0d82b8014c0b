import { noCost, type RunRow } from '../../core/contract/index.ts';
import type { Database } from './database.ts';
import { anyOf, type Hit, lineWith, textCondition } from './search.ts';

export interface RunsQuery {
  state?: RunRow['state'] | readonly RunRow['state'][];
  /** Runs of exactly this workspace. */
  workspace?: string;
  /** Runs in whose goal or steps every one of these words is, or whose id begins so. */
  text?: string;
  limit?: number;
  /** Runs older than this one: the last row of the page before. */
  before?: Pick<RunRow, 'createdAt' | 'id'>;
}

export interface Runs {
  /** The newest first. */
  runs(query?: RunsQuery): Promise<RunRow[]>;
  run(id: string): Promise<RunRow | null>;
  /** The newest runs whose id begins so; a handful is enough to say that a prefix is not unique. */
  findRuns(prefix: string): Promise<RunRow[]>;
  /** Runs that are due by themselves at `now`, the longest overdue first. */
  dueRuns(now: number): Promise<RunRow[]>;
  /** The newest runs that a text is found in, with where. */
  search(text: string, limit: number): Promise<Hit[]>;
  /** Runs of a workspace in whose goal or steps any of these words is, those with the rarest and the most of them first. */
  alike(words: readonly string[], workspace: string, limit: number): Promise<RunRow[]>;
}

/** A row as it was written, by this version or one before it. */
export const parseRow = (text: string): RunRow => ({ ...noCost, ...JSON.parse(text) });

/** Keeps what listings filter and sort by. The row itself is with the stream. */
export function createRows(db: Database) {
  const insert = db.prepare(
    'INSERT INTO runs (stream, id, state, workspace, created_at, ended_at, wake_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const update = db.prepare(
    'UPDATE runs SET state = ?, workspace = ?, created_at = ?, ended_at = ?, wake_at = ? WHERE stream = ?',
  );
  return {
    save(stream: number, before: RunRow | null, row: RunRow): void {
      const { id, state, workspace, createdAt, endedAt, wakeAt } = row;
      if (before === null) insert.run(stream, id, state, workspace, createdAt, endedAt, wakeAt);
      else if (
        state !== before.state ||
        wakeAt !== before.wakeAt ||
        endedAt !== before.endedAt ||
        workspace !== before.workspace ||
        createdAt !== before.createdAt
      ) {
        update.run(state, workspace, createdAt, endedAt, wakeAt, stream);
      }
    },
  };
}

const selectRow = 'SELECT s.row FROM runs r JOIN streams s ON s.id = r.stream';
const handful = 20;

export function createRuns(db: Database): Runs {
  const one = db.prepare(`${selectRow} WHERE r.id = ?`);
  const find = db.prepare(
    `${selectRow} WHERE r.id >= ? AND r.id < ? ORDER BY r.created_at DESC, r.id DESC LIMIT ${handful}`,
  );
  const due = db.prepare(`${selectRow} WHERE r.wake_at <= ? ORDER BY r.wake_at, r.id`);
  const parse = (found: Record<string, unknown>): RunRow => parseRow(String(found['row']));

  return {
    runs: ({ state, workspace, text, limit = -1, before } = {}) =>
      db.read(() => {
        const wanted: string[] = [];
        const values: (string | number)[] = [];
        if (state !== undefined) {
          const states = typeof state === 'string' ? [state] : state;
          wanted.push(`r.state IN (${states.map(() => '?').join(', ')})`);
          values.push(...states);
        }
        if (workspace !== undefined) {
          wanted.push('r.workspace = ?');
          values.push(workspace);
        }
        if (text !== undefined && text.trim() !== '') {
          const condition = textCondition(text);
          wanted.push(condition.sql);
          values.push(...condition.values);
        }
        if (before !== undefined) {
          wanted.push('(r.created_at, r.id) < (?, ?)');
          values.push(before.createdAt, before.id);
        }
        const where = wanted.length > 0 ? `WHERE ${wanted.join(' AND ')}` : '';
        return db
          .prepare(`${selectRow} ${where} ORDER BY r.created_at DESC, r.id DESC LIMIT ?`)
          .all(...values, limit)
          .map(parse);
      }),
    run: (id) =>
      db.read(() => {
        const found = one.get(id);
        return found ? parse(found) : null;
      }),
    findRuns: (prefix) => db.read(() => find.all(prefix, `${prefix}\u{10ffff}`).map(parse)),
    dueRuns: (now) => db.read(() => due.all(now).map(parse)),
    alike: (words, workspace, limit) =>
      db.read(() => {
        const match = anyOf(words);
        if (match === null) return [];
        return db
          .prepare(
            `SELECT s.row FROM run_texts JOIN runs r ON r.stream = run_texts.rowid
             JOIN streams s ON s.id = r.stream WHERE run_texts MATCH ? AND r.workspace = ?
             ORDER BY bm25(run_texts), r.created_at DESC, r.id DESC LIMIT ?`,
          )
          .all(match, workspace, limit)
          .map(parse);
      }),
    search: (text, limit) =>
      db.read(() => {
        if (text.trim() === '') return [];
        const { sql, values } = textCondition(text);
        const found = db
          .prepare(
            `SELECT s.row, t.text FROM runs r JOIN streams s ON s.id = r.stream
             LEFT JOIN run_texts t ON t.rowid = r.stream
             WHERE ${sql} ORDER BY r.created_at DESC, r.id DESC LIMIT ?`,
          )
          .all(...values, limit);
        return found.map((one) => {
          const row = parse(one);
          return { row, found: lineWith(String(one['text'] ?? ''), text) ?? row.goal };
        });
      }),
  };
}
