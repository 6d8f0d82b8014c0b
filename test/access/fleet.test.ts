import { hash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bench, openBench, planOf } from '../support/cli.ts';
import { freshDatabase, hasPostgres } from '../support/postgres.ts';
import type { Running } from '../support/processes.ts';

const unique = randomUUID().slice(0, 8);
const [server, worker] = [`server_${unique}`, `worker_${unique}`];
/** Nobody asks for it here: what matters is who else can read it. */
const password = `word-${unique}-that-nobody-reads`;

describe.skipIf(!hasPostgres)('roles of a fleet', () => {
  let bench: Bench;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let owner: pg.Client;
  let driving: Running | undefined;
  let said = '';
  const as = (role: string) => database.url.replace('://planwright@', `://${role}:${password}@`);
  const planwright = (role: string, ...args: string[]) => bench.run([...args, '--database', as(role)]);

  beforeAll(async () => {
    bench = openBench({ here: true });
    database = await freshDatabase();
    owner = new pg.Client({ connectionString: database.url, options: '-c search_path=planwright' });
    await owner.connect();
    for (const role of [server, worker]) await owner.query(`CREATE ROLE ${role} LOGIN`);
    const setUp = () =>
      bench.run([
        ...['fleet', 'setup', '--server-role', server, '--worker-role', worker],
        ...['--database', database.url],
      ]);
    // Once more changes nothing.
    for (const { code, stderr } of [await setUp(), await setUp()])
      expect([code, stderr]).toMatchObject([0, {}]);
    driving = bench.start(['worker', '--json', '--metrics', '0', '--database', as(worker)], {
      DATABASE_URL: as(worker),
      SEEN_BY_STEPS: unique,
    });
    driving.child.stderr!.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  });
  afterAll(async () => {
    driving?.child.kill('SIGTERM');
    await driving?.ended;
    await owner.end();
    await database.drop();
    await dropRoles();
    bench.clean();
  });
  const dropRoles = async () => {
    const client = new pg.Client({ connectionString: database.url.replace(/\/d\w+\?/, '/postgres?') });
    await client.connect();
    await client.query(`DROP ROLE ${server}, ${worker}`).finally(() => client.end());
  };
  const stateOf = async (id: string) => {
    const { rows } = await owner.query('SELECT state FROM listing WHERE id = $1', [id]);
    return rows[0]?.state as string;
  };
  const until = async (id: string, state: string) => {
    while ((await stateOf(id)) !== state) await new Promise((resolve) => setTimeout(resolve, 50));
  };

  test('a worker drives and cannot decide; what it was started with is for no step to read', async () => {
    writeFileSync(bench.path('old.txt'), '');
    bench.write(
      'look.sh',
      "cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' > seen.txt; env >> seen.txt\n",
    );
    bench.write('plan.json', planOf('bash look.sh', 'rm -rf old.txt'));
    const { stdout, stderr } = await planwright(
      server,
      'run',
      'plan.json',
      '--yes',
      '--detach',
      '--on-ask',
      'park',
    );
    const id = stdout.trim();
    expect(id, stderr).not.toBe('');
    await until(id, 'waiting');
    const seen = readFileSync(bench.path('seen.txt'), 'utf8');
    expect(seen).toContain(`SEEN_BY_STEPS=${unique}\n`);
    expect(seen).toContain('\nworker\n--json\n--metrics\n');
    expect(seen).not.toContain(password);

    // The program says so; and so does the database, to whoever has got hold of the worker's password.
    const refused = await planwright(worker, 'approve', id);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('approval-decided is for people to write');
    const forger = new pg.Client({ connectionString: as(worker), options: '-c search_path=planwright' });
    forger.on('error', () => {});
    await forger.connect();
    const { rows } = await forger.query('SELECT id, last_seq FROM streams WHERE name = $1', [id]);
    const [stream, seq] = [rows[0].id, rows[0].last_seq + 1];
    const approvalId = 's2.1';
    const by = { person: 'ana', door: 'terminal' };
    const write = (event: object, spelled = JSON.stringify(event), packed = false) =>
      forger.query('INSERT INTO events (stream, seq, packed, body) VALUES ($1, $2, $3, $4)', [
        stream,
        seq,
        packed,
        spelled,
      ]);
    /** As long values are stored: what it is stands in a table of its own. */
    const aside = async (value: unknown) => {
      const text = JSON.stringify(value);
      const $blob = hash('sha256', text);
      await forger.query('INSERT INTO blobs VALUES ($1, $2) ON CONFLICT DO NOTHING', [$blob, text]);
      return { $blob };
    };
    const approve = { v: 1, type: 'approval-decided', at: 1, key: 'k', by, approvalId, decision: 'approve' };
    const granted = { v: 1, type: 'approval-granted', at: 1, approvalId, answers: 2 };
    const { answers: _, ...unasked } = granted;
    const forged: [string, () => Promise<unknown>][] = [
      ['a decision', () => write(approve)],
      [
        'one that is spelled otherwise',
        () => write({}, JSON.stringify(approve).replace('-decided', '\\u002ddecided')),
      ],
      [
        'one that is said twice',
        () => write({}, JSON.stringify(approve).replace('{', '{"type":"step-judged",')),
      ],
      [
        'one that is said again in a name that is read otherwise',
        () => write({}, JSON.stringify(unasked).replace(/}$/, ',"typ\\u0000e":"step-judged"}')),
      ],
      [
        'one whose name is elsewhere',
        async () => {
          const { key: _key, ...nameless } = approve;
          return write({}, JSON.stringify({ ...nameless, type: await aside(approve.type) }), true);
        },
      ],
      [
        'one that is elsewhere as a whole',
        async () => write({}, JSON.stringify({ v: 1, type: 'step-judged', ...(await aside(approve)) }), true),
      ],
      [
        'one without its maker',
        () => write({ v: 1, type: 'plan-decided', at: 1, revision: 0, decision: 'all' }),
      ],
      ['that it was granted, by the agreement on the plan', () => write(granted)],
      ['that it was granted, by nothing', () => write({ ...granted, answers: seq + 1 })],
      ['that it was granted, unasked', () => write(unasked)],
      [
        'more agreement than there was',
        () => write({ v: 1, type: 'plan-confirmed', at: 1, revision: 0, answers: 2, approves: [{}] }),
      ],
      [
        'that something else was asked about by the name that is decided on',
        () => write({ v: 1, type: 'approval-needed', at: 1, approvalId, fingerprint: 'another' }),
      ],
      [
        'the same with the name elsewhere',
        async () => {
          const named = { approvalId: await aside(approvalId), fingerprint: 'another' };
          return write({}, JSON.stringify({ v: 1, type: 'approval-needed', at: 1, ...named }), true);
        },
      ],
      [
        'more rights for a step, by the agreement on the plan',
        () => write({ v: 1, type: 'step-reset', at: 1, stepId: 's2', grants: { network: true }, answers: 2 }),
      ],
      ['another past', () => forger.query("UPDATE events SET body = '{}' WHERE stream = $1", [stream])],
      ['another name', () => forger.query("UPDATE streams SET name = 'other' WHERE id = $1", [stream])],
      ['no past', () => forger.query('DELETE FROM events WHERE stream = $1', [stream])],
      [
        'a state to go on from',
        () => forger.query("INSERT INTO snapshots VALUES ($1, 'v', 1, '{}')", [stream]),
      ],
      ['another value', () => forger.query("INSERT INTO blobs VALUES ('0', 'text')")],
      ['a way in', () => forger.query("INSERT INTO passes VALUES ('h', 'token', 'me', 'decide', 0, null)")],
      ['who has one', () => forger.query('SELECT * FROM passes')],
      ['other rules', () => forger.query('DROP TRIGGER may_write ON events')],
    ];
    for (const [what, asked] of forged) {
      const code = await asked().then(
        () => 'written',
        (error: { code: string }) => error.code,
      );
      expect([what, code]).toEqual([what, '42501']);
    }
    // What a schedule was agreed to for, and nothing else.
    bench.write('often.json', planOf('echo often'));
    const added = await planwright(server, 'schedule', 'add', 'often.json', '--cron', '0 3 * * *');
    expect(added.code, added.stderr).toBe(0);
    const { rows: found } = await owner.query(
      "SELECT s.name, e.body::json AS event FROM streams s JOIN events e ON e.stream = s.id WHERE s.kind = 'schedule' AND e.seq = 1",
    );
    const [{ name: schedule, event }] = found;
    const { plan, options } = event.agreement;
    const fire = async (given: object, decided: object = {}) => {
      await forger.query('BEGIN');
      try {
        const begun = await forger.query(
          `INSERT INTO streams (name, kind, last_seq, epoch, changed, ids) VALUES ('fired', 'run', 2, 0, pg_current_xact_id(), '') RETURNING id`,
        );
        const events = [
          {
            ...{ v: 1, type: 'plan-created', at: 1, place: event.place, plan, options },
            ...{ scheduled: { schedule, due: 1 }, ...given },
          },
          {
            v: 1,
            type: 'plan-decided',
            at: 1,
            key: 'k',
            by: event.by,
            revision: 0,
            decision: 'all',
            ...decided,
          },
        ];
        for (const [at, each] of events.entries())
          await forger.query('INSERT INTO events VALUES ($1, $2, false, $3)', [
            begun.rows[0].id,
            at + 1,
            each,
          ]);
        return 'written';
      } catch (error) {
        return (error as { code: string }).code;
      } finally {
        await forger.query('ROLLBACK');
      }
    };
    expect(await fire({})).toBe('written');
    expect(await fire({ plan: { ...plan, goal: 'another' } })).toBe('42501');
    expect(await fire({ options: { ...options, mode: 'agentic' } })).toBe('42501');
    expect(await fire({ scheduled: { schedule: id, due: 1 } })).toBe('42501');
    expect(await fire({ place: { ...event.place, workspace: '/elsewhere' } })).toBe('42501');
    expect(await fire({ place: { ...event.place, host: 'elsewhere~0' } })).toBe('42501');
    const [, renamed] = event.place.host.split('~');
    if (renamed !== undefined)
      expect(await fire({ place: { ...event.place, host: `renamed~${renamed}` } })).toBe('written');
    expect(await fire({ gitSource: { url: 'https://example.com/other.git', ref: 'main' } })).toBe('42501');
    expect(await fire({ scheduled: undefined })).toBe('42501');
    expect(await fire({}, { by })).toBe('42501');
    expect(await fire({}, { approves: [{}] })).toBe('42501');
    expect(await fire({ ...event, type: 'schedule-added' })).toBe('42501');

    // To agents it says what to do, and to no model that a person talks with.
    const say = async (options: object, more: object = {}) => {
      const chat = await owner.query(
        `INSERT INTO streams (name, kind, last_seq, epoch, changed, ids) VALUES ($1, 'chat', 1, 0, pg_current_xact_id(), '') RETURNING id`,
        [randomUUID()],
      );
      const body = [{ v: 1, type: 'chat-begun', at: 1, options }, message(more)];
      const insert = 'INSERT INTO events VALUES ($1, $2, false, $3)';
      await owner.query(insert, [chat.rows[0].id, 1, body[0]]);
      return forger.query(insert, [chat.rows[0].id, 2, body[1]]).then(
        () => 'written',
        (error: { code: string }) => error.code,
      );
    };
    const message = (more: object) => ({
      ...{ v: 1, type: 'message-sent', at: 1, key: 'k', by: { person: 'w', door: 'worker' } },
      ...{ text: 'do it', plan: 'never', ...more },
    });
    expect(await say({ planning: 'never', onAsk: 'park' })).toBe('written');
    expect(await say({ planning: 'never', onAsk: 'park' }, { given: {} })).toBe('42501');
    expect(await say({ planning: 'never', onAsk: 'park' }, { by })).toBe('42501');
    expect(await say({ planning: 'auto', onAsk: 'park' })).toBe('42501');
    expect(await say({ planning: 'never', onAsk: 'wait' })).toBe('42501');

    // Every table is either given to workers, or withheld for a reason.
    const withheld = await owner.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'planwright'::regnamespace AND relkind = 'r'
       AND NOT has_table_privilege($1, oid, 'SELECT')`,
      [worker],
    );
    expect(withheld.rows).toEqual([{ relname: 'passes' }]);
    // What it may write it may write, whatever is in it.
    const odd = { v: 1, type: 'toy-noted', at: 1, text: `${String.fromCharCode(0, 0xd800)} \\u0000 \\\\` };
    await forger.query('BEGIN');
    await write(odd);
    await forger.query('ROLLBACK');
    await forger.end();
    expect(await stateOf(id)).toBe('waiting');

    expect(await planwright(server, 'approve', id)).toMatchObject({ code: 0 });
    await until(id, 'done');

    const [url] = /http:\S+/.exec(said)!;
    const measured = await (await fetch(url)).text();
    expect(measured).toMatch(/^planwright_step_duration_seconds_count{outcome="completed"} [12]$/m);
    expect((await fetch(url.replace('/metrics', '/healthz'))).status).toBe(200);
    expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404);
  });
});
