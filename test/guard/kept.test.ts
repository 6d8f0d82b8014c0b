import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setTrust } from '../../src/doors/app/trust.ts';
import { openDesk } from './desk.ts';

test('a checkpoint that cannot be taken is said and written down, and denies where it is required', async () => {
  const { home, work, call, open } = openDesk();
  // A file where their folder would be.
  mkdirSync(join(home, 'pw/data'), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'pw/data/checkpoints'), '');
  const tried = (checkpoints: 'on' | 'required' | 'off', id: string) =>
    call('npm test', { checkpoints, more: { tool_use_id: id } });
  expect(JSON.parse(await tried('on', '1'))).toEqual({
    systemMessage: expect.stringContaining('undo does not take it back'),
  });
  expect(await tried('required', '2')).toBe('deny');
  expect(await tried('off', '3')).toBe('{}');
  const app = await open();
  const { calls, marks } = await app.guards.state((await app.guards.list({ workspace: work }))[0]!.id);
  expect(calls.map(({ answer, unkept }) => [answer, typeof unkept])).toEqual([
    ['none', 'string'],
    ['deny', 'string'],
    ['none', 'undefined'],
  ]);
  expect(marks).toEqual([]);
});

test('in a trusted folder the scripts of before are the person’s, and what an earlier session left behind is not', async () => {
  const { home, work, call, open } = openDesk();
  const script = (name: string) => writeFileSync(join(work, name), 'rm -rf "$HOME"\n');
  script('mine.sh');
  const app = await open();
  settle(home);
  await setTrust(app.places, work, true);
  settle(home);
  expect(await call('bash mine.sh')).toBe('{}');
  script('left.sh');
  // When it was changed can be set by whoever changed it; when the system noted that cannot.
  utimesSync(join(work, 'left.sh'), 0, 0);
  settle(home);
  const later = { more: { session_id: 'two' } };
  expect(await call('bash left.sh', later)).toBe('deny');
  expect(await call('bash mine.sh', later)).toBe('{}');
});

/** Until the clock of files, which is behind the system's own, has come past this moment. */
function settle(folder: string): void {
  const probe = join(folder, 'probe');
  const from = Date.now();
  do writeFileSync(probe, '');
  while (statSync(probe).ctimeMs <= from);
}
