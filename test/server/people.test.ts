import { expect, it, onTestFinished } from 'vitest';
import { ApiError, createClient, type Role } from '../../src/core/contract/index.ts';
import { addToken } from '../../src/doors/app/passes.ts';
import { freshDatabase, hasPostgres } from '../support/postgres.ts';
import { eventually } from '../support/processes.ts';
import { type Served, serve, source, untilState } from './support.ts';

/** A client of somebody with a token of their own. */
async function person(served: Served, name: string, role: Role) {
  const token = await addToken(await served.app.passes(), name, role);
  return { token, client: createClient({ baseUrl: served.url, fetch, token }) };
}

const refused = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => null,
    (given: unknown) => given,
  );
  expect(error).toBeInstanceOf(ApiError);
  const { status, code, message } = error as ApiError;
  return { status, code, message };
};

it('each role does what it is for, and the journal names who did', async () => {
  const served = await serve();
  const ana = (await person(served, 'ana', 'viewer')).client;
  const bob = (await person(served, 'bob', 'operator')).client;
  const eve = (await person(served, 'eve', 'admin')).client;
  expect(await ana.whoAmI()).toEqual({ person: 'ana', scope: 'read', role: 'viewer' });

  const plan = { source: source('rm -rf gone.txt') };
  expect(await refused(ana.createRun(plan))).toEqual({
    status: 403,
    code: 'not-allowed',
    message: 'ana may only look here',
  });
  expect(await refused(bob.createRun({ ...plan, agreed: true }))).toMatchObject({ code: 'not-allowed' });
  const { id } = await bob.createRun(plan);
  const agreed = { type: 'plan-decided', revision: 0, decision: 'all' } as const;
  expect(await refused(bob.request(id, agreed))).toMatchObject({
    message: 'bob may ask, but not decide here',
  });
  await eve.request(id, agreed);
  await untilState(ana, id, 'waiting');
  const { waiting } = await ana.waiting();
  const { id: approvalId } = waiting[0]!.approval!;
  const approve = { type: 'approval-decided', approvalId, decision: 'approve' } as const;
  for (const who of [ana, bob])
    expect(await refused(who.request(id, approve))).toMatchObject({ status: 403 });
  await eve.request(id, approve);
  await untilState(ana, id, 'done');
  const { events } = await ana.getEvents(id);
  const decided = events.flatMap(({ event }) =>
    'by' in event && 'key' in event ? [[event.type, event.by]] : [],
  );
  expect(decided).toEqual([
    ['plan-decided', { person: 'eve', door: 'api' }],
    ['approval-decided', { person: 'eve', door: 'api' }],
  ]);
  expect(await refused(bob.changeConfig({ set: { mode: 'agentic' } }))).toMatchObject({ status: 403 });
});

it('a token opens a page for what its owner may, and both end when it is revoked, with what they read', async () => {
  const served = await serve({ heartbeatMs: 50 });
  const { client, token } = await person(served, 'ana', 'viewer');
  const { address } = await client.newAddress();
  const { headers } = await fetch(address, { redirect: 'manual' });
  const cookie = headers.get('set-cookie')!.split(';')[0]!;
  const asPage = { headers: { cookie } };
  expect(await (await fetch(`${served.url}/api/me`, asPage)).json()).toMatchObject({
    person: 'ana',
    role: 'viewer',
  });
  expect(await (await served.app.passes()).list()).toMatchObject([
    { person: 'ana', kind: 'token' },
    { person: 'ana', kind: 'page' },
  ]);
  const stream = fetch(`${served.url}/api/stream`, asPage).then((answer) => answer.text());
  await eventually(() => served.server.streams.count() === 1, 'the stream is open');
  await (await served.app.passes()).revoke({ person: 'ana' });
  expect(await stream).toContain('retry');
  expect((await fetch(`${served.url}/api/me`, asPage)).status).toBe(401);
  expect(await refused(createClient({ baseUrl: served.url, fetch, token }).listRuns())).toMatchObject({
    status: 401,
  });
});

it('what lets people in is nowhere to be read', async () => {
  const served = await serve();
  const { token, client } = await person(served, 'ana', 'admin');
  const said = JSON.stringify([await (await served.app.passes()).list(), await client.getConfig()]);
  expect(said).not.toContain(token);
  await expect(addToken(await served.app.passes(), 'ana', 'admin')).rejects.toThrow('has a token already');
  for (const name of ['', ' ', 'a,b', 'a\nb', 'a\u202eb', 'x'.repeat(101)])
    await expect(addToken(await served.app.passes(), name, 'viewer')).rejects.toThrow('a name is');
});

const secret = 'a-secret-that-only-the-proxy-knows';
const proxied = (more: object) => ({
  header: 'x-user',
  groupsHeader: 'x-groups',
  from: [],
  secretHash: null,
  role: null,
  groups: { look: 'viewer', oncall: 'operator', lead: 'admin' },
  ...more,
});

it('whom the proxy names is who they are, by its secret; without it the header is nothing', async () => {
  const { hashOf } = await import('../../src/doors/app/passes.ts');
  const served = await serve({ proxy: proxied({ secretHash: hashOf(secret) }) as never });
  const me = async (headers: Record<string, string>) => {
    const answer = await fetch(`${served.url}/api/me`, { headers });
    return answer.status === 200 ? answer.json() : answer.status;
  };
  const proof = { 'planwright-proxy-secret': secret };
  const ana = { ...proof, 'x-user': 'ana@example.com' };
  expect(await me({ ...ana, 'x-groups': 'look, lead' })).toEqual({
    person: 'ana@example.com',
    scope: 'decide',
    role: 'admin',
  });
  expect(await me({ ...ana, 'x-groups': 'oncall' })).toMatchObject({ role: 'operator' });
  for (const headers of [
    { 'x-user': 'ana@example.com', 'x-groups': 'lead' },
    { ...ana, 'planwright-proxy-secret': `${secret}x`, 'x-groups': 'lead' },
    { ...ana, 'x-groups': 'others' },
    { ...ana, 'x-groups': 'constructor' },
    { ...ana, 'x-user': 'ana@example.com, root', 'x-groups': 'lead' },
    { ...proof, 'x-groups': 'lead' },
  ])
    expect([headers, await me(headers)]).toEqual([headers, 401]);
  // Nor does a page that was opened while they were somebody.
  const lead = { ...ana, 'x-groups': 'lead', 'content-type': 'application/json' };
  const opened = await fetch(`${served.url}/api/addresses`, { method: 'POST', body: '{}', headers: lead });
  const { headers } = await fetch(((await opened.json()) as { address: string }).address, {
    redirect: 'manual',
  });
  const cookie = headers.get('set-cookie')!.split(';')[0]!;
  expect(await me({ cookie })).toMatchObject({ role: 'admin' });
  expect(await me({ ...ana, cookie, 'x-groups': 'others' })).toBe(401);
});

it('an address is that of the proxy, or it is nothing; this machine is not one', async () => {
  const { createProxy } = await import('../../src/doors/server/http/proxy.ts');
  const rules = (from: string[]) => proxied({ from, role: 'viewer' }) as never;
  const asked = (from: string[], address: string) =>
    createProxy(rules(from)).asker((name) => ({ 'x-user': 'ana' })[name], address)?.actor.person ?? null;
  expect(asked(['10.0.0.7'], '10.0.0.7')).toBe('ana');
  expect(asked(['10.0.0.7'], '::ffff:10.0.0.7')).toBe('ana');
  expect(asked(['10.0.0.7'], '10.0.0.8')).toBeNull();
  expect(asked(['10.0.0.0/24', 'fd00::/8'], '10.0.0.255')).toBe('ana');
  expect(asked(['10.0.0.0/24', 'fd00::/8'], 'fd12::1')).toBe('ana');
  expect(asked(['10.0.0.0/24'], '10.0.1.0')).toBeNull();
  const here = [
    ['127.0.0.1'],
    ['127.0.0.9'],
    ['127.0.0.0/8'],
    ['0.0.0.0/0'],
    ['126.0.0.0/7'],
    ['::1'],
    ['::/0'],
  ];
  for (const from of here) expect(() => createProxy(rules(from)), `${from}`).toThrow('every process');
  for (const from of [[], ['somewhere'], ['10.0.0.0/33']]) expect(() => createProxy(rules(from))).toThrow();
});

it.skipIf(!hasPostgres)(
  'on a fleet every server knows the same: codes, pages, tokens, and that they are no more',
  async () => {
    const database = await freshDatabase();
    onTestFinished(database.drop);
    const variables = { PLANWRIGHT_DATABASE_URL: database.url };
    const one = await serve({ variables });
    const two = await serve({ variables });
    const { token, client } = await person(one, 'ana', 'operator');
    expect(await createClient({ baseUrl: two.url, fetch, token }).whoAmI()).toMatchObject({ person: 'ana' });
    // The load balancer gives the address to the other one, and every further call to either.
    const code = new URL((await client.newAddress()).address).search;
    const { status, headers } = await fetch(`${two.url}/${code}`, { redirect: 'manual' });
    expect(status).toBe(302);
    expect((await fetch(`${one.url}/${code}`, { redirect: 'manual' })).status).toBe(401);
    const cookie = headers.get('set-cookie')!.split(';')[0]!;
    const statuses = () =>
      Promise.all(
        [one, two].map(async ({ url }) => (await fetch(`${url}/api/runs`, { headers: { cookie } })).status),
      );
    expect(await statuses()).toEqual([200, 200]);
    const out = { method: 'POST', body: '{}', headers: { cookie, 'content-type': 'application/json' } };
    expect((await fetch(`${one.url}/api/sign-out`, out)).status).toBe(200);
    expect(await statuses()).toEqual([401, 401]);
    expect(two.errors).toEqual([]);
  },
);
