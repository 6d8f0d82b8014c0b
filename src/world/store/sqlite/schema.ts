/**
 * The shape of the database, one statement list a version. A migration that has been released never changes;
 * a new one goes to the end. `user_version` in the file says how many have been applied.
 *
 * - `events.key` is stream and sequence number in one integer (`keyOf`), so that the events of a stream lie
 *   together and need no second index.
 * - An append mostly writes to two pages: that of its stream's row, and the last one of its events. The rest is there so
 *   that it can stay so: every further page costs as much processor time as all of the append's statements.
 * - `streams.id` is never used twice: a stream that is begun anew after it was removed is another one.
 * - `streams.pos` is the position of the stream's newest append. Positions grow in commit order and are never used twice,
 *   so that one number says how far a reader of everything has come. `changes` has the first position of each stretch of
 *   appends to one stream: a stretch lasts until the next one, the last one until its stream's `pos`.
 * - `streams.ids` names the newest appends, as the inside of a JSON object; when they are many they move to `appends`.
 * - `streams.row` is the stream's listing row; `listing` repeats only what is filtered and sorted by.
 * - `used` says which positions and epochs removed streams have used up.
 * - `texts` is what streams are found by.
 * - `snapshots` are never needed: each is made again from the events where it is missing or of another version.
 * - `model_scores` counts how often the answers of a model were good enough; `model_trials` are those that nobody has
 *   judged yet. Scores outlive the streams that they were made of.
 * - `passes` are hashes of what lets people in.
 * - `workers` are the processes that drive, as they say of themselves.
 * - `trash` names files whose database part is gone already: a crash between the two leaves nothing behind.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    last_seq INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    ids TEXT NOT NULL,
    row TEXT
  ) STRICT;
  CREATE TABLE events (
    key INTEGER PRIMARY KEY,
    packed INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE appends (
    stream INTEGER NOT NULL,
    id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (stream, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE changes (pos INTEGER PRIMARY KEY, stream INTEGER NOT NULL) STRICT;
  CREATE TABLE used (pos INTEGER NOT NULL, epoch INTEGER NOT NULL) STRICT;
  INSERT INTO used VALUES (0, 0);
  CREATE TABLE listing (
    stream INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    workspace TEXT NOT NULL,
    created_at REAL NOT NULL,
    ended_at REAL,
    due_at REAL,
    awaits TEXT
  ) STRICT;
  CREATE INDEX listing_created ON listing (created_at, id);
  CREATE INDEX listing_due ON listing (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX listing_awaits ON listing (awaits) WHERE awaits IS NOT NULL;
  CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'trigram');
  CREATE TABLE snapshots (
    stream INTEGER PRIMARY KEY,
    version TEXT NOT NULL,
    seq INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT;
  CREATE TABLE blobs (hash TEXT NOT NULL UNIQUE, text TEXT NOT NULL) STRICT;
  CREATE TABLE blob_refs (
    stream INTEGER NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (stream, hash)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX blob_refs_hash ON blob_refs (hash);
  CREATE TABLE processes (
    id TEXT PRIMARY KEY,
    pid INTEGER NOT NULL,
    pid_start TEXT,
    pid_space TEXT NOT NULL,
    host TEXT NOT NULL,
    boot TEXT NOT NULL,
    beat_at REAL NOT NULL,
    ttl REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE claims (
    stream INTEGER PRIMARY KEY,
    process TEXT NOT NULL,
    epoch INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX claims_process ON claims (process);
  CREATE TABLE folder_claims (
    stream INTEGER PRIMARY KEY,
    host TEXT NOT NULL,
    path TEXT NOT NULL,
    worktree TEXT
  ) STRICT;
  CREATE TABLE fixes (
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    key TEXT NOT NULL,
    general TEXT NOT NULL,
    successes INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (scope, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX fixes_key ON fixes (key);
  CREATE TABLE model_scores (
    model TEXT NOT NULL,
    role TEXT NOT NULL,
    asked INTEGER NOT NULL,
    accepted INTEGER NOT NULL,
    PRIMARY KEY (model, role)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE model_trials (
    stream INTEGER NOT NULL,
    id TEXT NOT NULL,
    model TEXT NOT NULL,
    role TEXT NOT NULL,
    PRIMARY KEY (stream, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE trash (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE passes (
    hash TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    person TEXT NOT NULL,
    scope TEXT NOT NULL,
    made_at REAL NOT NULL,
    until REAL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE workers (
    process TEXT PRIMARY KEY,
    pid INTEGER NOT NULL,
    host TEXT NOT NULL,
    report TEXT NOT NULL,
    heard_at REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX listing_ended ON listing (ended_at) WHERE ended_at IS NOT NULL;
  `,
];

/**
 * The statements that make the tables and indexes of this version, as the database keeps them; without those that a
 * later migration changes.
 */
export function madeBy(version: number): string[] {
  const made = new Map<string, string>();
  for (const migration of migrations.slice(0, version)) {
    for (const statement of migration.split(';').map(onOneLine)) {
      const name = /^CREATE (?:VIRTUAL )?(?:TABLE|INDEX) (\w+)/.exec(statement)?.[1];
      const changed = /^(?:ALTER|DROP) (?:TABLE|INDEX) (\w+)/.exec(statement)?.[1];
      if (name !== undefined) made.set(name, statement);
      else if (changed !== undefined) made.delete(changed);
    }
  }
  return [...made.values()];
}

export const onOneLine = (statement: string): string => statement.replace(/\s+/g, ' ').trim();

/** Up to a thousand million events a stream, and eight million streams within JavaScript's whole numbers. */
const eventsPerStream = 2 ** 30;

/** Where an event is stored. */
export const keyOf = (stream: number, seq: number): number => stream * eventsPerStream + seq;

/** Marks the file as ours: "PLWR". */
export const applicationId = 0x504c5752;
