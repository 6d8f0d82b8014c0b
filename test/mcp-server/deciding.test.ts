import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRequest } from '../../src/core/contract/index.ts';
import { call, DECIDES, openStage, ownToken, planOf, type Seen, type Stage, ways } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const dangerous = (file: string) => `chmod 777 /nowhere/at/all || touch ${file}`;
const fileOf = (name: string) => join(stage.workspace, name.replaceAll(/\W/g, ''));
const requestsOf = async (run: string) =>
  (await stage.app.streams.read(run, 0)).flatMap(({ event }) => (isRequest(event) ? [event] : []));

/** Agrees to plans; of what is dangerous, as it is told. */
const person =
  (decision: 'approve' | 'deny', heard: string[] = []) =>
  (message: string) => {
    heard.push(message);
    const word = /is dangerous/.test(message) ? decision : 'all';
    return { action: 'accept' as const, content: { decision: word } };
  };

describe.each(ways)('%s: a client that the person has named', (way) => {
  test('puts the plan and what is dangerous to them, and what they allow is done, in their name and through it', async () => {
    const heard: string[] = [];
    const client = await stage.connect(way, { name: DECIDES, answers: person('approve', heard) });
    const file = fileOf(`${way}yes`);
    const seen = await call<Seen>(client, 'run', { plan: planOf(dangerous(file)), waitSeconds: 600 });
    expect(seen).toMatchObject({ state: 'done', stopReason: 'completed' });
    expect(existsSync(file)).toBe(true);
    expect(heard).toHaveLength(2);
    expect(heard[0]).toContain(`(dangerous): RUN_COMMAND ${dangerous(file)}`);
    expect(heard[1]).toContain(dangerous(file));
    const by = { door: 'mcp', client: `${DECIDES} 7.1` };
    expect(await requestsOf(seen.run)).toMatchObject([
      { type: 'plan-decided', decision: 'all', by },
      { type: 'approval-decided', decision: 'approve', by },
    ]);
  });

  test('puts down their no, said by a choice or by declining', async () => {
    for (const [how, answers] of [
      ['choice', person('deny')],
      [
        'decline',
        (text: string) => (/is dangerous/.test(text) ? { action: 'decline' as const } : person('deny')(text)),
      ],
    ] as const) {
      const client = await stage.connect(way, { name: DECIDES, answers });
      const file = fileOf(`${way}${how}`);
      const seen = await call<Seen>(client, 'run', { plan: planOf(dangerous(file)), waitSeconds: 600 });
      expect(seen.state).not.toBe('done');
      expect(existsSync(file)).toBe(false);
      const [, denied] = await requestsOf(seen.run);
      expect(denied).toMatchObject({ type: 'approval-decided', decision: 'deny' });
    }
  });
});

test('a run may ask often in one call: a client of before is told what came of it, not that it was too much', async () => {
  const client = await stage.connect('http, before', { name: DECIDES, answers: person('approve') });
  const commands = Array.from({ length: 9 }, (_, n) => dangerous(fileOf(`often${n}`)));
  const seen = await call<Seen>(client, 'run', { plan: planOf(...commands), waitSeconds: 600 });
  expect(seen.state).toBe('done');
  expect(await requestsOf(seen.run)).toHaveLength(10);
});

describe('otherwise nobody decides through a client', () => {
  let run: string;
  beforeAll(async () => {
    const client = await stage.connect('http, today');
    run = (await call<Seen>(client, 'run', { plan: planOf(dangerous(fileOf('never'))) })).run;
  });
  const asked = async (client: Client) => {
    const seen = await call<Seen>(client, 'attend_run', { run, waitSeconds: 0 });
    expect(seen).toMatchObject({
      state: 'agreeing',
      question: { decide: { command: `planwright resume ${run}` } },
    });
    expect(await requestsOf(run)).toEqual([]);
  };

  test.each(ways)('%s: of a client that nobody has named, whatever it would answer', async (way) => {
    const heard: string[] = [];
    await asked(
      await stage.connect(way, { name: 'another', answers: person('approve', heard), shows: ownToken }),
    );
    expect(heard).toEqual([]);
  });

  test.each(ways)('%s: of one that cannot ask, though it is named', async (way) => {
    await asked(await stage.connect(way, { name: DECIDES, answers: null }));
  });

  test("of one with an operator's token, though it is named and can ask", async () => {
    for (const way of ['http, before', 'http, today'] as const) {
      const heard: string[] = [];
      const answers = person('approve', heard);
      await asked(await stage.connect(way, { name: DECIDES, answers, shows: stage.token }));
      expect(heard).toEqual([]);
    }
  });

  test('of one that leaves it open: it is asked once, and told where to decide', async () => {
    let times = 0;
    const answers = () => {
      times++;
      return { action: 'cancel' as const };
    };
    await asked(await stage.connect('stdio, before', { name: DECIDES, answers }));
    expect(times).toBe(1);
  });

  test('of one that answers what was not offered', async () => {
    const answers = () => ({ action: 'accept' as const, content: { decision: '__proto__' } });
    await asked(await stage.connect('http, today', { name: DECIDES, answers }));
  });

  test('what was asked of one run decides nothing of another, and a state that somebody made up is refused', async () => {
    const client = await stage.connect('http, today', { name: DECIDES, answers: person('approve') });
    const raw = { name: 'attend_run', arguments: { run, waitSeconds: 0 } };
    const forged = client.request({
      method: 'tools/call',
      params: {
        ...raw,
        requestState: Buffer.from(JSON.stringify({ run, asks: 'agreement 0' })).toString('base64url'),
        inputResponses: {
          roots: { roots: [] },
          decision: { action: 'accept', content: { decision: 'all' } },
        },
      },
    });
    await expect(forged).rejects.toThrow('Invalid or expired requestState');
    expect(await requestsOf(run)).toEqual([]);
  });

  test('taking the name back holds at once', async () => {
    const { setConfig } = await import('../../src/doors/app/config.ts');
    const heard: string[] = [];
    const client = await stage.connect('http, before', { name: DECIDES, answers: person('approve', heard) });
    await setConfig(stage.app.places, 'clients.decide', null);
    await asked(client);
    expect(heard).toEqual([]);
    await setConfig(stage.app.places, 'clients.decide', DECIDES);
  });
});
