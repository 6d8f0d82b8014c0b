import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDebugLog, type DebugEntry, entryOf } from './debug-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'planwright-debug-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (change: Partial<DebugEntry> = {}): DebugEntry => ({
  at: '2026-11-15T00:00:00.000Z',
  purpose: 'plan, draft 1',
  run: 'r1',
  role: 'planner',
  outcome: 'ok',
  model: 'p/m',
  ms: 12,
  prompt: 'the prompt',
  answer: 'the answer',
  ...change,
});
const redact = (text: string) => text.replaceAll('hunter2', '[hidden]');
const path = () => join(folder, 'debug', 'models.log');

it('says of a call its run, its model, how long it took and what came, also where that failed', () => {
  const call = {
    stream: 'r1',
    purpose: 'mend',
    role: 'brain',
    model: { provider: 'openai', model: 'big' },
    ms: 40,
    outcome: 'invalid',
    message: 'no JSON',
    system: 'You mend.',
    messages: [{ role: 'user', content: 'It failed.' }],
    answer: 'Well…',
  } as unknown as Parameters<typeof entryOf>[0];
  expect(entryOf(call, 0)).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    run: 'r1',
    purpose: 'mend',
    role: 'brain',
    model: 'openai/big',
    ms: 40,
    outcome: 'invalid',
    message: 'no JSON',
    prompt: 'You mend.\n\nIt failed.',
    answer: 'Well…',
  });
});

it('keeps every call whole, for its owner alone, without secrets', () => {
  const log = createDebugLog({ path: path(), redact });
  log.write(entry({ prompt: 'log in with hunter2', answer: 'hunter2 it is\nand more' }));
  log.write(entry());
  const lines = readFileSync(path(), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    entry({ prompt: 'log in with [hidden]', answer: '[hidden] it is\nand more' }),
    entry(),
  ]);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
});

it('is rotated by size: the newest calls are kept, and never more files than said', () => {
  const log = createDebugLog({ path: path(), redact, maxBytes: 400, files: 3 });
  for (let n = 0; n < 20; n += 1) log.write(entry({ purpose: `call ${n}` }));
  const files = readdirSync(join(folder, 'debug')).toSorted();
  expect(files).toEqual(['models.log', 'models.log.1', 'models.log.2']);
  for (const file of files) expect(statSync(join(folder, 'debug', file)).size).toBeLessThanOrEqual(400);
  const calls = files.toReversed().flatMap((file) =>
    readFileSync(join(folder, 'debug', file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).purpose),
  );
  expect(calls.at(-1)).toBe('call 19');
  expect(calls).toEqual(Array.from({ length: calls.length }, (_, n) => `call ${20 - calls.length + n}`));
});

it('one call that is larger than a file is cut and does not throw', () => {
  const log = createDebugLog({ path: path(), redact });
  log.write(entry({ answer: 'x'.repeat(3_000_000) }));
  expect(statSync(path()).size).toBeLessThan(1_100_000);
});

it('that it cannot be written ends nothing', () => {
  writeFileSync(join(folder, 'debug'), 'a file where the folder should be');
  expect(() => createDebugLog({ path: path(), redact }).write(entry())).not.toThrow();
});
