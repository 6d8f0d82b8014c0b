/**
 * The shape of the database, one statement list a version. A migration that has been released never changes; a new one goes
 * to the end. `meta.version` says how many have been applied. Tables are those of SQLite (`../sqlite/schema.ts`) but for:
 *
 * - `streams.changed` is the transaction that wrote to the stream last. There is no column that counts appends: commits
 *   overtake each other, so that what has the next number may come later. A reader of everything compares transactions with
 *   the snapshot that it read by (`cursors.ts`).
 * - `logs`, `chunks` and `log_errors` are the output, which every server reads here.
 * - `meta.key` seals: it is one for the whole fleet.
 * - `workers` are the processes that drive, as they say of themselves; on SQLite likewise.
 * - `now_ms` is the clock that leases are judged by.
 *
 * Names are compared as bytes, as JavaScript compares them.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (version integer NOT NULL, store text NOT NULL, key bytea NOT NULL);
  CREATE FUNCTION now_ms() RETURNS double precision LANGUAGE sql VOLATILE
    AS 'SELECT extract(epoch FROM clock_timestamp())::double precision * 1000';
  CREATE TABLE streams (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    kind text NOT NULL,
    last_seq integer NOT NULL,
    epoch integer NOT NULL,
    changed xid8 NOT NULL,
    ids text NOT NULL,
    "row" text
  );
  CREATE INDEX streams_changed ON streams (changed, id);
  CREATE TABLE events (
    stream bigint NOT NULL,
    seq integer NOT NULL,
    packed boolean NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (stream, seq)
  );
  CREATE TABLE appends (
    stream bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    seq integer NOT NULL,
    PRIMARY KEY (stream, id)
  );
  CREATE TABLE used (epoch integer NOT NULL);
  INSERT INTO used VALUES (0);
  CREATE TABLE listing (
    stream bigint PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    kind text NOT NULL,
    state text NOT NULL,
    workspace text NOT NULL,
    created_at double precision NOT NULL,
    ended_at double precision,
    due_at double precision,
    awaits text COLLATE "C"
  );
  CREATE INDEX listing_created ON listing (created_at, id);
  CREATE INDEX listing_due ON listing (due_at, id) WHERE due_at IS NOT NULL;
  CREATE INDEX listing_awaits ON listing (awaits) WHERE awaits IS NOT NULL;
  CREATE TABLE texts (stream bigint PRIMARY KEY, text text NOT NULL);
  CREATE TABLE snapshots (
    stream bigint PRIMARY KEY,
    version text NOT NULL,
    seq integer NOT NULL,
    state text NOT NULL
  );
  CREATE TABLE blobs (hash text COLLATE "C" PRIMARY KEY, text text NOT NULL);
  CREATE TABLE blob_refs (
    stream bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    PRIMARY KEY (stream, hash)
  );
  CREATE INDEX blob_refs_hash ON blob_refs (hash);
  CREATE TABLE processes (
    id text COLLATE "C" PRIMARY KEY,
    pid integer NOT NULL,
    pid_start text,
    pid_space text NOT NULL,
    host text NOT NULL,
    boot text NOT NULL,
    beat_at double precision NOT NULL,
    ttl double precision NOT NULL
  );
  CREATE TABLE claims (
    stream bigint PRIMARY KEY,
    process text COLLATE "C" NOT NULL,
    epoch integer NOT NULL
  );
  CREATE INDEX claims_process ON claims (process);
  CREATE TABLE folder_claims (
    stream bigint PRIMARY KEY,
    host text NOT NULL,
    path text NOT NULL,
    worktree text
  );
  CREATE TABLE fixes (
    scope text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    key text NOT NULL,
    general text NOT NULL,
    successes integer NOT NULL,
    failures integer NOT NULL,
    at double precision NOT NULL,
    PRIMARY KEY (scope, id)
  );
  CREATE INDEX fixes_key ON fixes USING hash (key);
  CREATE TABLE model_scores (
    model text COLLATE "C" NOT NULL,
    role text COLLATE "C" NOT NULL,
    asked integer NOT NULL,
    accepted integer NOT NULL,
    PRIMARY KEY (model, role)
  );
  CREATE TABLE model_trials (
    stream bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    model text NOT NULL,
    role text NOT NULL,
    PRIMARY KEY (stream, id)
  );
  CREATE TABLE logs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream text COLLATE "C" NOT NULL,
    of text COLLATE "C" NOT NULL,
    attempt integer NOT NULL,
    size bigint NOT NULL,
    is_ended boolean NOT NULL,
    noted integer NOT NULL,
    UNIQUE (stream, of, attempt)
  );
  CREATE TABLE log_errors (
    log bigint NOT NULL,
    start bigint NOT NULL,
    "end" bigint NOT NULL,
    PRIMARY KEY (log, start)
  );
  CREATE TABLE chunks (
    log bigint NOT NULL,
    start bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (log, start)
  );
  `,
  `
  CREATE TABLE passes (
    hash text COLLATE "C" PRIMARY KEY,
    kind text NOT NULL,
    person text COLLATE "C" NOT NULL,
    scope text NOT NULL,
    made_at double precision NOT NULL,
    until double precision
  );
  CREATE UNIQUE INDEX passes_token ON passes (person) WHERE kind = 'token';
  `,
  `
  CREATE TABLE workers (
    process text COLLATE "C" PRIMARY KEY,
    pid integer NOT NULL,
    host text NOT NULL,
    report text NOT NULL,
    heard_at double precision NOT NULL
  );
  CREATE INDEX listing_ended ON listing (ended_at) WHERE ended_at IS NOT NULL;
  `,
];
