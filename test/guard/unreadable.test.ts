import { expect, test } from 'vitest';
import { openDesk } from './desk.ts';

test('what could not be read is not the session that undo takes', async () => {
  const { work, call, tell, open } = openDesk();
  await call('echo x > a');
  expect(await tell(JSON.stringify({ cwd: work, hook_event_name: 'PreToolUse' }))).toContain('"deny"');
  const app = await open();
  expect((await app.guards.list({ workspace: work })).map(({ session }) => session)).toContain('unreadable');
  expect((await app.guards.find(undefined, work)).session).toBe('one');
});

test('a call that is too long is denied as such, and one that is over is answered as one that is over', async () => {
  const { work, tell } = openDesk();
  const told = (event: string, more: object) =>
    tell(JSON.stringify({ cwd: work, hook_event_name: event, tool_name: 'Bash', ...more }));
  const long = { session_id: 'one', tool_input: { command: `: ${'x'.repeat(16 * 1024 * 1024)}` } };
  const denied = await told('PreToolUse', long);
  expect(denied).toContain('it is longer than 16 MB');
  expect(denied).toContain('"deny"');
  expect(await told('PostToolUse', long)).not.toContain('deny');
  const over = await told('PostToolUse', {});
  expect(over).toContain('it names no session');
  expect(over).not.toContain('PreToolUse');
});
