import { StoreError } from '../errors.ts';
import { connect, type Queries, quoted } from './connection.ts';
import { openSchema } from './opening.ts';

/** Who may do what in the database, beside its owner. Both roles exist. */
export interface RoleOptions {
  /** The owner's. */
  url: string;
  schema: string;
  queueSchema: string;
  /** For servers, and for people at a terminal. */
  server: string;
  /** For workers, and for those who are members of it. */
  worker: string;
  /** What people ask of streams: types of events that no worker writes. */
  requests: readonly string[];
  /** Of these, what ends something that a worker has begun: it may ask for that. */
  stops: readonly string[];
}

const all = 'SELECT, INSERT, UPDATE, DELETE';

/** What a worker does with each table. What is not here it does not see: passes. */
const ofWorkers: Readonly<Record<string, readonly string[]>> = {
  // States that others go on from are made by those who may decide.
  SELECT: ['meta', 'used', 'snapshots'],
  'SELECT, INSERT': ['events', 'appends', 'blob_refs'],
  // What a stream is called stays: what people answer goes where they have looked.
  'SELECT, INSERT, UPDATE (last_seq, epoch, changed, ids, "row")': ['streams'],
  'SELECT, INSERT, UPDATE': ['listing', 'texts'],
  'SELECT, INSERT, UPDATE (hash)': ['blobs'],
  [all]: [
    ...['processes', 'claims', 'folder_claims', 'logs', 'log_errors', 'chunks'],
    ...['fixes', 'model_scores', 'model_trials', 'workers'],
  ],
};

/**
 * Gives both roles what they need and no more. Of the journal a worker writes facts: what people ask and decide it cannot write,
 * nor that somebody has agreed where nobody has. Called again after an upgrade, it does the same for what is new.
 */
export async function limitRoles(options: RoleOptions): Promise<void> {
  const { url, schema, queueSchema } = options;
  const db = await connect({ url, schema, connections: 1, patienceMs: 0 });
  try {
    await openSchema(db);
    await db.transact(async (tx) => {
      for (const role of [options.server, options.worker]) await mustBeThere(tx, role);
      const [who] = await tx.query<{ owner: string }>('SELECT current_user AS owner');
      const found = await tx.query<{ name: string }>(
        'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1',
        [schema],
      );
      const tables = new Set(found.map(({ name }) => name));
      const names = { ...options, schema: quoted(schema), queueSchema: quoted(queueSchema) };
      for (const statement of statements(names, who!.owner, tables)) await tx.query(statement);
    });
  } finally {
    await db.close();
  }
}

async function mustBeThere(tx: Queries, role: string): Promise<void> {
  const [found] = await tx.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  if (found !== undefined) return;
  const what = `There is no role ${role} in the database. Make it first: CREATE ROLE ${quoted(role)} LOGIN PASSWORD '…'`;
  throw new StoreError('store-io', what);
}

function statements(options: Omit<RoleOptions, 'url'>, owner: string, there: ReadonlySet<string>): string[] {
  const { schema, queueSchema, requests, stops, ...roles } = options;
  const exempt = [owner, roles.server];
  const [server, worker] = [quoted(roles.server), quoted(roles.worker)];
  const both = `${server}, ${worker}`;
  return [
    ...[schema, queueSchema].map((each) => `GRANT USAGE ON SCHEMA ${each} TO ${both}`),
    `GRANT ${all} ON ALL TABLES IN SCHEMA ${schema} TO ${server}`,
    `GRANT ${all} ON ALL TABLES IN SCHEMA ${queueSchema} TO ${both}`,
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${worker}`,
    ...Object.entries(ofWorkers).flatMap(([may, tables]) =>
      tables
        .filter((table) => there.has(table))
        .map((table) => `GRANT ${may} ON ${schema}.${table} TO ${worker}`),
    ),
    mayWrite(schema, requests, stops),
    isItsHash(schema),
    ...guarded(`${schema}.events`, 'may_write', 'INSERT', schema, exempt),
    ...guarded(`${schema}.blobs`, 'is_its_hash', 'INSERT OR UPDATE', schema, exempt),
  ];
}

/** For everybody but servers and the owner, whoever else is let into the database later. */
const guarded = (
  table: string,
  name: string,
  what: string,
  schema: string,
  exempt: readonly string[],
): string[] => [
  `DROP TRIGGER IF EXISTS ${name} ON ${table}`,
  `CREATE TRIGGER ${name} BEFORE ${what} ON ${table} FOR EACH ROW
   WHEN (NOT (${exempt.map((role) => `pg_has_role(current_user, ${literal(role)}, 'MEMBER')`).join(' OR ')}))
   EXECUTE FUNCTION ${schema}.${name}()`,
];

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const list = (texts: readonly string[]): string => `ARRAY[${texts.map(literal).join(', ')}]::text[]`;

/**
 * An event as PostgreSQL can read it: of a zero and of half a surrogate pair, which JavaScript has in its texts, the backslash
 * is left out. The rest stays: a name with one of them in it is not to read as another name.
 */
const readable = (text: string): string =>
  `regexp_replace(${text}, '(\\\\\\\\)|\\\\(u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2}))', '\\1\\2', 'g')::jsonb`;

/** What tells a machine from every other, whatever it is called: as `hostId` of the contract has it. */
const hostId = (host: string): string => `regexp_replace(${host}, '^.*~', '')`;

const mayWrite = (schema: string, requests: readonly string[], stops: readonly string[]): string => `
  CREATE OR REPLACE FUNCTION ${schema}.may_write() RETURNS trigger LANGUAGE plpgsql
    SET search_path = ${schema}, pg_temp AS $function$
  DECLARE
    fact jsonb := ${readable('NEW.body')};
    what text := fact->>'type';
    asked jsonb;
    made jsonb;
    added jsonb;
  BEGIN
    IF jsonb_typeof(fact->'type') IS DISTINCT FROM 'string' OR fact ? '$blob' THEN
      RAISE insufficient_privilege USING MESSAGE = 'what an event is stands in it, and in no other place';
    END IF;
    IF what = 'plan-decided' AND NEW.seq = 2 AND NOT fact ? 'approves' THEN
      -- A run of a schedule is agreed on by whoever agreed on the schedule, as long as it is that plan and nothing else.
      SELECT ${readable('e.body')} INTO made FROM events e WHERE e.stream = NEW.stream AND e.seq = 1;
      SELECT ${readable('e.body')} INTO asked FROM events e JOIN streams s ON s.id = e.stream
        WHERE s.name = made->'scheduled'->>'schedule' AND s.kind = 'schedule'
          AND (e.body LIKE '%"schedule-added"%' OR e.body LIKE '%"agreed-again"%')
          AND ${readable('e.body')}->>'type' IN ('schedule-added', 'agreed-again')
        ORDER BY e.seq DESC LIMIT 1;
      SELECT ${readable('e.body')} INTO added FROM events e JOIN streams s ON s.id = e.stream
        WHERE s.name = made->'scheduled'->>'schedule' AND s.kind = 'schedule' AND e.seq = 1;
      IF made->'plan' = asked->'agreement'->'plan' AND made->'options' = asked->'agreement'->'options'
        AND made->'place'->'workspace' = added->'place'->'workspace' AND NOT made ? 'gitSource'
        AND ${hostId("made->'place'->>'host'")} = ${hostId("added->'place'->>'host'")}
        AND fact->'by' = asked->'by' THEN
        RETURN NEW;
      END IF;
    END IF;
    IF what = ANY (${list(requests)}) OR what = 'schedule-added' OR fact ? 'key' AND fact ? 'by' THEN
      IF what = ANY (${list(stops)}) THEN
        RETURN NEW;
      END IF;
      IF what = 'message-sent' AND fact->'by'->>'door' = 'worker' AND fact->>'plan' = 'never' AND NOT fact ? 'given' THEN
        -- To an agent, in a conversation that was begun for it: nobody stays there to be asked, and nothing is planned.
        SELECT ${readable('e.body')}->'options' INTO made FROM events e WHERE e.stream = NEW.stream AND e.seq = 1;
        IF made->>'planning' = 'never' AND made->>'onAsk' <> 'wait' THEN
          RETURN NEW;
        END IF;
      END IF;
      RAISE insufficient_privilege USING MESSAGE = format('%s is for people to write, and this role is a worker''s', what);
    END IF;
    IF what = 'approval-needed' THEN
      -- What was decided on is what was asked about by that name, and nothing that is asked about later.
      IF jsonb_typeof(fact->'approvalId') IS DISTINCT FROM 'string' OR EXISTS (
        SELECT 1 FROM events e WHERE e.stream = NEW.stream AND e.body LIKE '%"approval-needed"%'
          AND ${readable('e.body')}->>'type' = what AND ${readable('e.body')}->'approvalId' = fact->'approvalId'
          AND ${readable('e.body')}->'fingerprint' IS DISTINCT FROM fact->'fingerprint') THEN
        RAISE insufficient_privilege USING MESSAGE = 'by this name something else was asked about';
      END IF;
    END IF;
    IF NOT fact ? 'answers' AND NOT what = ANY (ARRAY['approval-granted', 'plan-confirmed', 'step-accepted', 'agreed-again']) THEN
      RETURN NEW;
    END IF;
    SELECT ${readable('e.body')} INTO asked FROM events e
      WHERE e.stream = NEW.stream AND e.seq = (fact->>'answers')::int AND e.seq < NEW.seq;
    IF asked IS NOT NULL AND asked->>'type' = ANY (${list(requests)}) AND (CASE what
      WHEN 'approval-granted' THEN asked->>'type' = 'approval-decided' AND asked->>'decision' = 'approve'
        AND asked->>'approvalId' = fact->>'approvalId'
      WHEN 'plan-confirmed' THEN asked->>'type' = 'plan-decided' AND asked->>'decision' <> 'cancel'
        AND asked->'revision' = fact->'revision'
        AND coalesce(fact->'approves', '[]') = coalesce(asked->'approves', '[]')
      WHEN 'step-accepted' THEN asked->>'type' = 'step-decided' AND asked->>'decision' = 'run'
        AND asked->>'stepId' = fact->>'stepId'
      WHEN 'agreed-again' THEN asked->>'type' = 'agree-requested' AND asked->'agreement' = fact->'agreement'
        AND asked->'by' = fact->'by'
      WHEN 'step-reset' THEN asked->>'type' = 'retry-requested' AND asked->'stepId' = fact->'stepId'
        AND asked->'grants' IS NOT DISTINCT FROM fact->'grants'
      WHEN 'merge-started' THEN asked->>'type' = 'merge-requested' AND asked->'how' = fact->'how'
        AND asked->'to' IS NOT DISTINCT FROM fact->'to'
      ELSE true END) THEN
      RETURN NEW;
    END IF;
    RAISE insufficient_privilege USING MESSAGE = format('nobody has asked for what this %s answers', what);
  END $function$`;

/** What long values are known by: one in the place of another is none. They are texts: nothing else is kept apart from its event. */
const isItsHash = (schema: string): string => `
  CREATE OR REPLACE FUNCTION ${schema}.is_its_hash() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    IF NEW.hash = encode(sha256(convert_to(NEW.text, 'UTF8')), 'hex') AND starts_with(NEW.text, '"') THEN
      RETURN NEW;
    END IF;
    RAISE insufficient_privilege USING MESSAGE = 'this is not the hash of the value, or the value is no text';
  END $function$`;
