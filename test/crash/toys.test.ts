import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { crashPoints } from '../../src/core/stream/index.ts';
import { someOf } from '../support/scale.ts';
import { beginToy } from '../support/toy-app.ts';
import type { ToyEvent } from '../support/toy-kind.ts';
import { openSite, type Site, stores } from './site.ts';

/** A kind that is no plan run is killed and goes on like the first. It records nothing while it counts. */
const points = crashPoints.filter((point) => !point.endsWith('-record'));
const deaths = points.flatMap((point) => [1, 2, 3].map((nth) => `${point}:${nth}`));

let site: Site;
afterEach(() => site.close());

const events = async (stream: string): Promise<ToyEvent[]> =>
  (await site.journal(stream)).map(({ event }) => event as unknown as ToyEvent);
const begin = (stream: string, more: Parameters<typeof beginToy>[2]) =>
  beginToy(site.app.places.data, stream, more, site.database);
const rowOf = (stream: string) => site.app.streams.row(stream);

/** Others drive both in turn until they have ended. */
async function goOn(...streams: string[]): Promise<void> {
  for (let round = 0; round < 4; round++)
    for (const stream of streams) {
      if ((await rowOf(stream)) === null) continue;
      const ended = await site.driver(stream).ended;
      expect(ended.code, ended.stderr).toBe(0);
      if ((await rowOf(streams[0]!))?.endedAt != null) return;
    }
}

/** Each number is counted once by the journal, and once in the world for each time the journal admits to. */
async function noneIsLostOrRepeatedSilently(stream: string, target: number): Promise<void> {
  const all = await events(stream);
  const numbers = (type: 'counted' | 'count-lost') =>
    all.flatMap((event) => (event.type === type ? [event.n] : []));
  const wanted = Array.from({ length: target }, (_, n) => n + 1);
  expect(numbers('counted')).toEqual(wanted);
  const lost = numbers('count-lost');
  for (const n of wanted) {
    const times = site.effects().filter((line) => line === `${n}`).length;
    expect(times, `${n} is counted`).toBeGreaterThanOrEqual(1);
    expect(times, `${n} is counted again only where that is known`).toBeLessThanOrEqual(
      1 + lost.filter((one) => one === n).length,
    );
  }
}

describe.each(stores)('kept on %s', (on) => {
  beforeEach(async () => {
    site = await openSite({}, on);
  });

  describe('a toy killed at a named point', () => {
    it.each(someOf(deaths, on === 'SQLite' ? 3 : 2))('%s', async (death) => {
      await begin('toy', { target: 4 });
      expect((await site.driver('toy', death).ended).signal, 'it died there').toBe('SIGKILL');
      const before = await events('toy');
      await goOn('toy');
      expect((await events('toy')).slice(0, before.length), 'no event is lost or changed').toEqual(before);
      await noneIsLostOrRepeatedSilently('toy', 4);
    });
  });

  describe('a toy that waits for another, killed at a named point', () => {
    it.each(someOf(['after-write:1', 'after-work:1'], on === 'SQLite' ? 2 : 1))('%s', async (death) => {
      await begin('parent', { target: 0, child: 'child', childTarget: 2 });
      expect((await site.driver('parent', death).ended).signal).toBe('SIGKILL');
      await goOn('parent', 'child');
      const types = (await events('parent')).map(({ type }) => type);
      for (const type of ['child-started', 'child-begun', 'child-ended', 'toy-ended'])
        expect(
          types.filter((one) => one === type),
          type,
        ).toHaveLength(1);
      expect(await rowOf('child')).toMatchObject({ state: 'ended' });
      await noneIsLostOrRepeatedSilently('child', 2);
    });
  });
});
