import { describe, expect, it, onTestFinished } from 'vitest';
import { freshSchema, hasPostgres } from '../../../../test/support/postgres.ts';
import { connect } from './connection.ts';
import { inTransaction } from './transaction.ts';

describe('a transaction', () => {
  /** Of a server that fails at this statement, if at any. */
  const clientOf = (fails: string | null, why: Error) => {
    const asked: (string | Error | undefined)[] = [];
    return {
      asked,
      async query(sql: string) {
        asked.push(sql);
        if (sql === fails) throw why;
      },
      release: (unwell?: Error) => void asked.push(unwell),
    };
  };
  const silent = new Error('Query read timeout');
  const wrong = new Error('planted');

  it('is over at once where the server does not answer, and its connection is not used again', async () => {
    for (const at of ['BEGIN', 'COMMIT']) {
      const client = clientOf(at, silent);
      await expect(
        inTransaction(
          client,
          async () => {},
          () => {},
        ),
      ).rejects.toBe(silent);
      expect(client.asked).toEqual(at === 'BEGIN' ? ['BEGIN', silent] : ['BEGIN', 'COMMIT', silent]);
    }
  });

  it('is undone where its body fails, and its connection is used again', async () => {
    const client = clientOf(null, wrong);
    const body = () => Promise.reject(wrong);
    await expect(inTransaction(client, body, () => {})).rejects.toBe(wrong);
    expect(client.asked).toEqual(['BEGIN', 'ROLLBACK', undefined]);
  });

  it('that cannot be undone leaves a connection that is not used again', async () => {
    const client = clientOf('ROLLBACK', silent);
    const body = () => Promise.reject(wrong);
    await expect(inTransaction(client, body, () => {})).rejects.toBe(wrong);
    expect(client.asked).toEqual(['BEGIN', 'ROLLBACK', silent]);
  });
});

describe.skipIf(!hasPostgres)('connections that are closed', () => {
  const open = async () => {
    const { url, schema, drop } = await freshSchema();
    onTestFinished(drop);
    return connect({ url, schema, connections: 1, patienceMs: 0 });
  };

  it('answer what was asked before', async () => {
    const db = await open();
    await db.query('SELECT 1');
    const asked = [1, 2, 3].map((n) => db.query('SELECT $1::int AS n', [n]));
    await db.close();
    expect(await Promise.all(asked)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    await expect(db.query('SELECT 4')).rejects.toMatchObject({ code: 'store-closed' });
  });

  it('say once that nobody can be listened to: by the error', async () => {
    const db = await connect({
      url: 'postgres://planwright@localhost/postgres?host=/nowhere',
      ...{ schema: 's', connections: 1, patienceMs: 0 },
    });
    let broke = 0;
    const listening = db.listen(
      'c',
      () => {},
      () => void (broke += 1),
    );
    await expect(listening).rejects.toMatchObject({ code: 'store-unreachable' });
    await new Promise(setImmediate);
    expect(broke).toBe(0);
    await db.close();
  });
});
