import { request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { exposition } from '../../src/doors/app/metrics.ts';
import { addToken } from '../../src/doors/app/passes.ts';
import { freshDatabase, hasPostgres } from '../support/postgres.ts';
import { type Served, serve, source, untilState } from './support.ts';

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = `${NAME}="(?:[^"\\\\\\n]|\\\\["\\\\n])*"`;
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (-?[0-9.e+-]+|\\+Inf|NaN)$`);

/** Reads the text as Prometheus does, and refuses whatever it would. */
function parse(text: string): Map<string, number> {
  expect(text.endsWith('\n')).toBe(true);
  const samples = new Map<string, number>();
  let family = '';
  let isTyped = false;
  const seen = new Set<string>();
  for (const line of text.slice(0, -1).split('\n')) {
    const [, what, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (what === 'HELP') {
      expect(seen.has(name), `${name} comes once`).toBe(false);
      seen.add(name);
      [family, isTyped] = [name, false];
    } else if (what === 'TYPE') {
      expect([name, rest]).toEqual([family, expect.stringMatching(/^(gauge|counter|histogram)$/)]);
      isTyped = true;
    } else {
      const [, of = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
      expect(of, line).not.toBe('');
      expect([of, of.replace(/_(bucket|sum|count)$/, '')]).toContain(family);
      expect(isTyped).toBe(true);
      const key = labels === '' ? of : `${of}{${labels}}`;
      expect(samples.has(key), `${key} comes once`).toBe(false);
      samples.set(key, Number(value));
    }
  }
  return samples;
}

const metricsOf = async (served: Served) => {
  const answer = await fetch(`${served.url}/metrics`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return parse(await answer.text());
};

it('what is there, what waits and what was done is told as Prometheus reads it', async () => {
  const served = await serve();
  const { client } = served;
  expect((await metricsOf(served)).get('planwright_build_info{version="1.2.3"}')).toBe(1);
  const { id } = await client.createRun({ source: source('true', 'rm -rf old'), agreed: true });
  await untilState(client, id, 'waiting');
  const waiting = await metricsOf(served);
  expect(waiting.get('planwright_streams{kind="run",state="waiting"}')).toBe(1);
  expect(waiting.get('planwright_waiting_runs{for="approval"}')).toBe(1);
  await client.request(id, { type: 'cancel-requested' });
  await untilState(client, id, 'cancelled');

  const after = await metricsOf(served);
  expect(after.get('planwright_waiting_runs{for="approval"}')).toBeUndefined();
  expect(after.get('planwright_streams{kind="run",state="cancelled"}')).toBe(1);
  const { events } = await client.getEvents(id);
  expect(after.get('planwright_events_total')).toBe(events.length);
  expect(after.get('planwright_appends_total')).toBeLessThanOrEqual(events.length);
  expect(after.get('planwright_claims_total{outcome="taken"}')).toBeGreaterThanOrEqual(1);
  const steps = (suffix: string, labels = '') =>
    after.get(`planwright_step_duration_seconds_${suffix}{outcome="completed"${labels}}`);
  expect(steps('count')).toBe(1);
  expect(steps('bucket', ',le="+Inf"')).toBe(1);
  const done = events.flatMap(({ event }) =>
    event.type === 'step-completed' ? [event.result.durationMs / 1000] : [],
  );
  expect(steps('sum')).toBeCloseTo(done[0]!);
  expect(steps('bucket', ',le="3600"')).toBe(1);
  expect(steps('bucket', ',le="0.05"')).toBe(done[0]! <= 0.05 ? 1 : 0);
});

it('they are for this machine and for those who may look, not for whoever is passed on', async () => {
  const served = await serve();
  const status = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      request(`${served.url}/metrics`, { headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode!);
      })
        .on('error', reject)
        .end();
    });
  const elsewhere = { 'x-forwarded-for': '203.0.113.7' };
  expect(await status({})).toBe(200);
  expect(await status(elsewhere)).toBe(401);
  const token = await addToken(await served.app.passes(), 'prometheus', 'viewer');
  expect(await status({ ...elsewhere, authorization: `Bearer ${token}` })).toBe(200);
  expect(await status({ ...elsewhere, authorization: 'Bearer guess' })).toBe(401);
});

it.skipIf(!hasPostgres)(
  'in a fleet they tell of the queue, which has to answer before a server is ready',
  async () => {
    const database = await freshDatabase();
    onTestFinished(database.drop);
    const served = await serve({ variables: { PLANWRIGHT_DATABASE_URL: database.url } });
    const found = await metricsOf(served);
    expect(found.get('planwright_queue{state="waiting"}')).toBe(0);
    expect(found.get('planwright_queue{state="active"}')).toBe(0);
    expect([found.get('planwright_claims'), found.get('planwright_due')]).toEqual([0, 0]);
    const ready = async () => (await fetch(`${served.url}/readyz`)).json();
    expect(await ready()).toMatchObject({ ok: true, checks: [{ name: 'store' }, { name: 'queue' }] });
    served.app.fleet!.depth = () => Promise.reject(new Error('it is away'));
    expect(await ready()).toMatchObject({
      ok: false,
      checks: [{ ok: true }, { ok: false, detail: 'it is away' }],
    });
    expect(((await (await fetch(`${served.url}/healthz`)).json()) as { ok: boolean }).ok).toBe(true);
  },
);

it('names and values are written so that they are read as they are', () => {
  const labels = { path: 'a\\b "c"\nd' };
  const family = {
    name: 'x',
    help: 'one\ntwo \\ three',
    type: 'gauge' as const,
    samples: [{ labels, value: 1 }],
  };
  const text = exposition([family]);
  expect(text).toBe('# HELP x one\\ntwo \\\\ three\n# TYPE x gauge\nx{path="a\\\\b \\"c\\"\\nd"} 1\n');
  expect([...parse(text)]).toEqual([['x{path="a\\\\b \\"c\\"\\nd"}', 1]]);
});
