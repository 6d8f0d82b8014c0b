import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compose, type Part } from './compose.ts';
import { openCheckpoints } from './open.ts';
import type { CheckpointStore } from './ports.ts';
import type { Change, CoveredEntry } from './types.ts';

const file = (oid: string): CoveredEntry => ({ kind: 'file', oid, mode: 0o644 });
const change = (before: CoveredEntry | null, after: CoveredEntry | null): Change => ({
  path: 'a',
  kind: before === null ? 'added' : after === null ? 'removed' : 'modified',
  before,
  after,
});
const part = (one: Change, unsure = false): Part => ({ changes: [one], unknown: [], unsure });

describe('stretches of changes', () => {
  test('that follow each other are one change', () => {
    const { changes, between } = compose([part(change(null, file('1'))), part(change(file('1'), file('2')))]);
    expect(changes).toEqual([change(null, file('2'))]);
    expect(between).toEqual([]);
  });

  test('that end where they began are none', () => {
    const there = part(change(file('1'), file('2')));
    expect(compose([there, part(change(file('2'), file('1')))]).changes).toEqual([]);
  });

  test('with somebody in between keep what that somebody made, unless it is forced', () => {
    const parts = [part(change(file('1'), file('2'))), part(change(file('mine'), file('3')))];
    expect(compose(parts)).toMatchObject({
      changes: [change(file('mine'), file('3'))],
      between: [change(file('1'), file('2'))],
    });
    expect(compose(parts, () => true)).toMatchObject({
      changes: [change(file('1'), file('3'))],
      between: [],
    });
  });

  test('of which one is unsure are', () => {
    const parts = [part(change(null, file('1')), true), part(change(file('1'), file('2')))];
    expect(compose(parts).unsure).toEqual(new Set(['a']));
  });
});

describe('a checkpoint serves again', () => {
  let folder: string;
  let workspace: string;
  let checkpoints: CheckpointStore;
  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'pw-compose-')));
    workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    writeFileSync(join(workspace, '.gitignore'), '*.log\n');
    writeFileSync(join(workspace, 'a.log'), 'one');
    checkpoints = await openCheckpoints({ dir: join(folder, 'data'), workspace });
  });
  afterEach(async () => {
    await checkpoints.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const take = (touched: string[], orSame?: { id: string }) =>
    checkpoints.take('x', { touched, ...(orSame === undefined ? {} : { orSame }) });

  test('where nothing changed, and not where something did', async () => {
    const first = await take([]);
    expect((await take([], first)).id).toBe(first.id);
    expect((await take([join(workspace, 'not-there')], first)).id).toBe(first.id);
    writeFileSync(join(workspace, 'new'), '');
    expect((await take([], first)).id).not.toBe(first.id);
  });

  test('not where an ignored file has to be known that it does not know, or that has changed', async () => {
    const log = join(workspace, 'a.log');
    const first = await take([]);
    const second = await take([log], first);
    expect(second.id).not.toBe(first.id);
    expect((await take([log], second)).id).toBe(second.id);
    writeFileSync(log, 'two');
    expect((await take([log], second)).id).not.toBe(second.id);
  });
});
