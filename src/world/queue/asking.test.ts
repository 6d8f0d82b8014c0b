import type { Db } from 'pg-boss';
import { expect, it } from 'vitest';
import { prepare } from './asking.ts';

/** A connection that notes what it was asked, and what is said on it. */
function connection() {
  const asked: unknown[][] = [];
  let say: [(queue: string) => void, () => void] = [() => {}, () => {}];
  const db = {
    async executeSql(...given: unknown[]) {
      asked.push(given);
      return { rows: [] };
    },
    async listen(_: string, ...heard: typeof say) {
      say = heard;
      return { close: async () => {} };
    },
  };
  return { db: db as unknown as Db, asked, said: () => say };
}

it('names each text once, those without values not at all, and no more than so many', async () => {
  const { db, asked } = connection();
  prepare(db, () => {});
  await db.executeSql('A', [1]);
  await db.executeSql('B', [2]);
  await db.executeSql('A', [3]);
  await db.executeSql('C; D');
  await db.executeSql('C; D', []);
  expect(asked).toEqual([
    [{ name: 'q0', text: 'A', values: [1] }],
    [{ name: 'q1', text: 'B', values: [2] }],
    [{ name: 'q0', text: 'A', values: [3] }],
    ['C; D', undefined],
    ['C; D', []],
  ]);
  for (let n = 0; n < 300; n += 1) await db.executeSql(`E${n}`, [n]);
  expect(asked.at(-1)).toEqual([{ name: undefined, text: 'E299', values: [299] }]);
});

it('tells what is said to be in a queue, and that it may not have been heard, to both who listen', async () => {
  const { db, said } = connection();
  const [ours, theirs]: (string | null)[][] = [[], []];
  prepare(db, (queue) => ours!.push(queue));
  await db.listen!(
    'c',
    (queue) => void theirs!.push(queue),
    () => void theirs!.push(null),
  );
  const [notify, reconnect] = said();
  notify('q');
  reconnect();
  expect([ours, theirs]).toEqual([
    ['q', null],
    ['q', null],
  ]);
});
