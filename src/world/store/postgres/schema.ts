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
 * - `hold_apart` and `advance_to_end` take locks and then look, in one question: each statement of such a function sees what was
 *   committed until it began, where a statement alone sees nothing that came while it waited for a lock.
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
  `
  CREATE FUNCTION hold_apart(whose text, which bigint, its_epoch integer, channel text, on_host text, at_path text,
    of_worktree text, ways text[], separator text) RETURNS integer LANGUAGE plpgsql AS $function$
  BEGIN
    PERFORM 1 FROM claims WHERE process = whose AND stream = which AND epoch = its_epoch FOR UPDATE;
    IF NOT FOUND THEN
      RETURN 0;
    END IF;
    DELETE FROM folder_claims WHERE stream = which;
    PERFORM CASE WHEN n = cardinality(ways) THEN pg_advisory_xact_lock(hashtext(channel), hashtext(on_host || ' ' || way))
      ELSE pg_advisory_xact_lock_shared(hashtext(channel), hashtext(on_host || ' ' || way)) END
      FROM unnest(ways) WITH ORDINALITY AS w (way, n) ORDER BY n;
    INSERT INTO folder_claims (stream, host, path, worktree) SELECT which, on_host, at_path, of_worktree
      WHERE NOT EXISTS (SELECT 1 FROM folder_claims f, concat(rtrim(f.path, separator), separator) AS theirs,
          concat(rtrim(at_path, separator), separator) AS ours
        WHERE f.host = on_host AND (starts_with(theirs, ours) OR starts_with(ours, theirs)));
    RETURN CASE WHEN FOUND THEN 1 ELSE 2 END;
  END $function$;
  CREATE FUNCTION advance_to_end(channel text, called text, which bigint, last_before integer, its_epoch integer,
    append_id text, last_after integer, row_after text, ids_after text, are_packed boolean[], bodies text[],
    state_after text, workspace_after text, created double precision, ended double precision, due double precision,
    awaited text, log_ids bigint[], log_ofs text[], log_attempts integer[], log_bytes bytea[])
    RETURNS SETOF bigint LANGUAGE plpgsql AS $function$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext(channel), hashtext(called));
    RETURN QUERY
      WITH w AS (SELECT * FROM unnest(log_ids, log_ofs, log_attempts, log_bytes) AS w (id, of, attempt, bytes)),
        l AS (INSERT INTO logs (id, stream, of, attempt, size, is_ended, noted) OVERRIDING SYSTEM VALUE
          SELECT w.id, called, w.of, w.attempt, octet_length(w.bytes), true, 0 FROM w ON CONFLICT DO NOTHING
          RETURNING logs.id),
        c AS (INSERT INTO chunks (log, start, bytes) SELECT l.id, 0, w.bytes FROM l JOIN w ON w.id = l.id)
      SELECT l.id FROM l;
    IF EXISTS (SELECT 1 FROM listing l WHERE l.awaits = called AND l.ended_at IS NULL) THEN
      RETURN NEXT -1;
      RETURN;
    END IF;
    UPDATE streams s SET last_seq = last_after, "row" = row_after, ids = ids_after, changed = pg_current_xact_id()
      WHERE s.id = which AND s.last_seq = last_before AND s.epoch = its_epoch
        AND NOT EXISTS (SELECT 1 FROM appends a WHERE a.stream = which AND a.id = append_id);
    IF NOT FOUND THEN
      RETURN;
    END IF;
    UPDATE listing l SET state = state_after, workspace = workspace_after, created_at = created, ended_at = ended,
      due_at = due, awaits = awaited WHERE l.stream = which;
    INSERT INTO events (stream, seq, packed, body) SELECT which, last_before + n, packed, body
      FROM unnest(are_packed, bodies) WITH ORDINALITY AS given (packed, body, n);
    RETURN NEXT which;
  END $function$;
  `,
];
