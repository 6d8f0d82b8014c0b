import type { StatementSync } from 'node:sqlite';
import type { RunEvent, RunRow, Step } from '../../core/contract/index.ts';
import type { Database } from './database.ts';

/** What a person would look for a run by: its goal, and the titles and words of its steps. */
const longestText = 64 * 1024;

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function textOf({ title, action }: Step): string {
  const { kind: _, ...words } = action;
  return [title, ...textsIn(words)].join(' ');
}

/** What an event adds to the text of its run; empty for nearly all of them. */
function addedText(event: RunEvent): string {
  if (event.type === 'plan-created') return [event.plan.goal, ...event.plan.steps.map(textOf)].join('\n');
  if ('goal' in event && typeof event.goal === 'string') return event.goal;
  if (event.type !== 'plan-revised') return '';
  const steps = event.patch.flatMap((change) => {
    if (change.op === 'insert') return change.steps;
    return change.op === 'replace' ? [change.step] : [];
  });
  return steps.map(textOf).join('\n');
}

/** Keeps the text of a run, in the transaction that appends. */
export function createTextKeeper(db: Database) {
  // Prepared when first used: a damaged index is an error of the append that meets it, not of opening the store.
  let sql: { insert: StatementSync; append: StatementSync } | null = null;
  const prepare = () => ({
    insert: db.prepare('INSERT INTO run_texts (rowid, text) VALUES (?, ?)'),
    append: db.prepare(
      `UPDATE run_texts SET text = substr(text || char(10) || ?, 1, ${longestText}) WHERE rowid = ?`,
    ),
  });
  return (stream: number, isNew: boolean, events: readonly RunEvent[]): void => {
    const text = events.map(addedText).filter(Boolean).join('\n').slice(0, longestText);
    if (!isNew && text === '') return;
    sql ??= prepare();
    if (isNew) sql.insert.run(stream, text);
    else sql.append.run(text, stream);
  };
}

const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`;

/** What the index is asked for where one of the words is enough; null where it knows none of them. */
export function anyOf(words: readonly string[]): string | null {
  const known = words.filter((word) => [...word].length >= 3);
  return known.length === 0 ? null : known.map(quoted).join(' OR ');
}

/** A condition on `r`, the runs: every word is somewhere in the run's text, or the id begins so. */
export function textCondition(query: string): { sql: string; values: string[] } {
  const words = query.split(/\s+/).filter(Boolean);
  // The index knows three letters and more; what is shorter is looked for letter by letter.
  const long = words.filter((word) => [...word].length >= 3);
  const short = words.filter((word) => [...word].length < 3);
  const parts = [
    ...(long.length > 0 ? ['run_texts MATCH ?'] : []),
    ...short.map(() => "text LIKE ? ESCAPE '\\'"),
  ];
  const match = long.map(quoted).join(' AND ');
  const values = [
    ...(long.length > 0 ? [match] : []),
    ...short.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`),
  ];
  const inText = `r.stream IN (SELECT rowid FROM run_texts WHERE ${parts.join(' AND ') || '1'})`;
  const id = query.trim().toLowerCase();
  return { sql: `(${inText} OR (r.id >= ? AND r.id < ?))`, values: [...values, id, `${id}\u{10ffff}`] };
}

export interface Hit {
  row: RunRow;
  /** The line of the goal or of a step in which a word was found; the goal where only the id fits. */
  found: string;
}

export function lineWith(text: string, query: string): string | null {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const line = text.split('\n').find((candidate) => {
    const lower = candidate.toLowerCase();
    return words.some((word) => lower.includes(word));
  });
  return line === undefined ? null : line.slice(0, 300);
}
