import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freshDatabase, hasPostgres } from '../../../test/support/postgres.ts';
import { someone } from '../../../test/support/someone.ts';
import { openApp } from './app.ts';
import { runOptions } from './options.ts';
import { driveAll } from './worker.ts';

describe.each(['one process', 'pg-boss'] as const)('by %s', (on) => {
  it.skipIf(on === 'pg-boss' && !hasPostgres)(
    'no more runs are driven than may be, and all come to their end',
    async () => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pw-most-')));
      const database = on === 'one process' ? null : await freshDatabase();
      const env = {
        ...{ PATH: process.env['PATH'], HOME: folder, PLANWRIGHT_HOME: join(folder, 'home') },
        ...(database === null ? {} : { PLANWRIGHT_DATABASE_URL: database.url }),
        PLANWRIGHT_RUNS_MOST: '1',
      };
      const app = await openApp({ cwd: folder, env });
      onTestFinished(async () => {
        await app.close();
        await database?.drop();
        rmSync(folder, { recursive: true, force: true });
      });
      const command = 'sleep 0.1';
      const step = { id: 's1', title: 's', action: { kind: 'run-command' as const, command } };
      const ids: string[] = [];
      for (const name of ['a', 'b', 'c']) {
        const workspace = mkdtempSync(join(folder, `${name}-`));
        const plan = { goal: name, revision: 0, shell: 'bash' as const, steps: [step] };
        const options = runOptions(app.config.values, { mode: 'planner' }, { attended: false });
        ids.push(await app.runs.create({ plan, workspace, options, agreed: someone }));
      }
      const [left, stop, errors] = [new Set(ids), new AbortController(), [] as unknown[]];
      await driveAll(app, {
        onError: (_, error) => void errors.push(error),
        onRest({ id, endedAt }) {
          if (endedAt !== null) left.delete(id);
          if (left.size === 0) stop.abort();
        },
        watch: stop.signal,
      });
      expect(errors).toEqual([]);
      // One after the other: who began before another had ended was one too many.
      const spans = await Promise.all(
        ids.map(async (id) => {
          const events = (await app.streams.read(id, 0)).map(({ event }) => event);
          const at = (type: string) => events.find((event) => event.type === type)!.at;
          return [at('step-started'), at('step-completed')] as const;
        }),
      );
      const inTurn = spans.toSorted(([one], [two]) => one - two);
      expect(inTurn.filter(([from], n) => n > 0 && from < inTurn[n - 1]![1])).toEqual([]);
    },
  );
});
