import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { becomeReady } from './ready.ts';

const folder = mkdtempSync(join(tmpdir(), 'pw-ready-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** It lives, says something at each look while it has something to say, and never becomes ready. */
async function waitFor(words: number, whileItSpeaks: boolean): Promise<{ state: string; left: number }> {
  const log = join(folder, `${words}-${whileItSpeaks}.log`);
  writeFileSync(log, '');
  let left = words;
  const exit = (): null => {
    if (left > 0) appendFileSync(log, `still starting ${left--}\n`);
    return null;
  };
  const service = { exit, exited: new Promise(() => {}) } as never;
  const expectation = { kind: 'file-exists', path: join(folder, 'never'), exists: true } as never;
  const context = { cwd: folder, env: {} } as never;
  const { state } = await becomeReady({
    service,
    expectation,
    context,
    log,
    heldBefore: false,
    withinMs: 300,
    whileItSpeaks,
    signal: new AbortController().signal,
  });
  return { state, left };
}

test('a service that speaks is waited for, until it has been silent for so long', async () => {
  expect(await waitFor(20, true)).toEqual({ state: 'late', left: 0 });
});

test('a step that says how long it may take is taken at its word', async () => {
  const { state, left } = await waitFor(1000, false);
  expect(state).toBe('late');
  expect(left).toBeGreaterThan(0);
});
