import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { EventOf, RunEvent, Step } from '../../core/contract/index.ts';
import { migrations } from './migrations.ts';
import type { Store } from './store.ts';
import { finished, note, openTestStore, planCreated } from './test-support.ts';

const step = (title: string, command: string): Step => ({
  id: title,
  title,
  action: { kind: 'run-command', command },
});

async function addRun(store: Store, id: string, at: number, goal: string, steps: Step[] = []) {
  const created = planCreated({ at, goal }) as EventOf<'plan-created'>;
  const event: RunEvent = { ...created, plan: { ...created.plan, steps } };
  await store.append(id, { id: 'a', events: [event], expectedSeq: 0 });
}

const found = async (store: Store, text: string) => (await store.search(text, 10)).map(({ row }) => row.id);

describe('searching runs', () => {
  it('finds by goal, by titles and commands of steps, by part of a word, and by id; the newest first', async () => {
    const store = await openTestStore();
    await addRun(store, 'aaa1', 1, 'Publish the site', [step('Build it', 'hugo --minify')]);
    await addRun(store, 'bbb2', 2, 'Mend the build', [step('Install', 'npm ci')]);
    expect(await found(store, 'build')).toEqual(['bbb2', 'aaa1']);
    expect(await found(store, 'MINI')).toEqual(['aaa1']);
    expect(await found(store, 'site hugo')).toEqual(['aaa1']);
    expect(await found(store, 'site npm')).toEqual([]);
    expect(await found(store, 'ci')).toEqual(['bbb2']);
    expect(await found(store, 'bbb')).toEqual(['bbb2']);
    expect(await store.search('hugo', 10)).toMatchObject([{ found: 'Build it hugo --minify' }]);
    expect(await store.search('aaa1', 10)).toMatchObject([{ found: 'Publish the site' }]);
    expect(await store.search('build', 1)).toHaveLength(1);
    expect((await store.runs({ text: 'hugo', state: 'agreeing' })).map(({ id }) => id)).toEqual(['aaa1']);
    expect(await store.runs({ text: 'hugo', state: 'done' })).toEqual([]);
  });

  it('takes every character for itself', async () => {
    const store = await openTestStore();
    await addRun(store, 'a', 1, `say "100%" to a_b \\ c* NOT OR (x)`);
    await addRun(store, 'b', 2, 'nothing of that');
    for (const text of ['"100%"', '0%', '_', '\\', 'c*', 'NOT OR', '(x)', '"']) {
      expect({ text, found: await found(store, text) }).toEqual({ text, found: ['a'] });
    }
    expect(await found(store, '%')).toEqual(['a']);
    expect(await found(store, '   ')).toEqual([]);
  });

  it('knows steps that came later, and forgets what was removed', async () => {
    const store = await openTestStore();
    await addRun(store, 'a', 1, 'goal', [step('first', 'true')]);
    const patch = [{ op: 'insert' as const, before: null, steps: [step('Repair', 'mkdir -p deep/folder')] }];
    await store.append('a', {
      id: 'r',
      events: [
        { v: 1, type: 'plan-revised', at: 2, revision: 1, patch, hash: 'h', reason: 'r', source: 's' },
        finished(3),
      ],
    });
    expect(await found(store, 'deep/folder')).toEqual(['a']);
    await store.gc({ now: 1e15, keepDays: 0, keepRuns: 0 });
    const raw = new DatabaseSync(`${store.dir}/planwright.db`, { readOnly: true });
    expect(raw.prepare('SELECT count(*) AS n FROM run_texts').get()).toEqual({ n: 0 });
    raw.close();
  });

  it('finds runs of a store from before there was a search by their goal', () => {
    const raw = new DatabaseSync(':memory:');
    raw.exec(migrations[0]!);
    raw.exec(`INSERT INTO streams VALUES (7, 'old', 'run', 1, 0, '{"goal":"an old goal"}');
      INSERT INTO runs VALUES (7, 'old', 'done', '/work', 1, 1, NULL);`);
    raw.exec(migrations[1]!);
    expect(raw.prepare('SELECT rowid FROM run_texts WHERE run_texts MATCH ?').all('"old goal"')).toEqual([
      { rowid: 7 },
    ]);
    raw.close();
  });
});

it('says which streams have changed since a position, and no more than asked for', async () => {
  const store = await openTestStore();
  expect(await store.position()).toBe(0);
  expect(await store.changedStreams(0, 10)).toEqual({ pos: 0, streams: [] });
  await addRun(store, 'a', 1, 'one');
  const start = await store.position();
  await addRun(store, 'b', 1, 'two');
  await store.append('a', { id: 'n', events: [note(2), note(3)] });
  await store.append('b', { id: 'm', events: [note(4)] });
  expect(await store.changedStreams(start, 10)).toEqual({ pos: await store.position(), streams: ['b', 'a'] });
  const page = await store.changedStreams(start, 2);
  expect(page.streams).toEqual(['b', 'a']);
  expect(await store.changedStreams(page.pos, 2)).toEqual({ pos: await store.position(), streams: ['b'] });
  await store.changedAny(start, new AbortController().signal);
});
