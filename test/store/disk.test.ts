import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunEvent } from '../../src/core/contract/index.ts';
import { runKind } from '../../src/core/run/index.ts';
import { kindsOf } from '../../src/core/stream/index.ts';
import { openStore, StoreError } from '../../src/world/store/index.ts';

/** A disk of its own, so that it can be filled. Null where mounting is not permitted. */
function mountSmallDisk(size: string): string | null {
  const at = mkdtempSync(join(tmpdir(), 'planwright-disk-'));
  onTestFinished(() => rmSync(at, { recursive: true, force: true }));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', at], { stdio: 'ignore' });
  } catch {
    return null;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', at]));
  return at;
}
const mountedOrSkip = (skip: (why: string) => never, size: string): string => {
  const at = mountSmallDisk(size);
  if (at !== null) return at;
  if (process.env['CI'] === 'true')
    throw new Error('mounting a small disk is not permitted, and CI must test a full one');
  return skip('mounting is not permitted here');
};

const driver = { pid: process.pid, host: 'test', boot: 'test' };
const note = (stepId: string): RunEvent => ({ v: 1, type: 'step-offered', at: 1, stepId });
const refusal = (error: unknown): StoreError => {
  if (error instanceof StoreError) return error;
  throw error;
};
/** Takes all space that is left; the function returned gives it back. */
function fill(disk: string): () => void {
  const filler = join(disk, 'filler');
  for (let size = 1 << 20; size >= 4096; size /= 2) {
    for (;;) {
      try {
        writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
      } catch {
        break;
      }
    }
  }
  return () => unlinkSync(filler);
}

describe('a full disk', () => {
  it('refuses an append, loses nothing that was acknowledged, and goes on when there is space again', async ({
    skip,
  }) => {
    const disk = mountedOrSkip(skip, '3m');
    const store = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir: join(disk, 'data'), driver });
    await store.begin('run', { kind: 'run', id: 'begin', events: [note('begin')] });
    const empty = fill(disk);
    let acknowledged = 1;
    let error: StoreError | undefined;
    for (let i = 0; error === undefined && i < 5000; i++) {
      await store.append('run', { id: `n${i}`, events: [note('x'.repeat(2000))] }).then(
        () => acknowledged++,
        (reason) => {
          error = refusal(reason);
        },
      );
    }
    expect(error).toMatchObject({ code: 'disk-full', exitCode: 1 });
    expect(error?.message).toContain('free some space');
    expect(await store.read('run', 0)).toHaveLength(acknowledged);

    empty();
    expect(await store.append('run', { id: 'after', events: [note('after')] })).toMatchObject({
      ok: true,
      seq: acknowledged + 1,
    });
    expect(await store.check()).toEqual([]);
    await store.close();
  });

  it('refuses to open a store, and leaves nothing broken behind', async ({ skip }) => {
    const disk = mountedOrSkip(skip, '1m');
    const dir = join(disk, 'data');
    const empty = fill(disk);
    const error = refusal(
      await openStore<RunEvent>({ kinds: kindsOf(runKind), dir, driver }).then(
        () => null,
        (reason: unknown) => reason,
      ),
    );
    expect(error.code).toBe('disk-full');
    empty();
    const store = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir, driver });
    expect(await store.check()).toEqual([]);
    await store.close();
  });

  it('refuses output, keeps what was written, and goes on when there is space again', async ({ skip }) => {
    const disk = mountedOrSkip(skip, '3m');
    const store = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir: join(disk, 'data'), driver });
    const writer = await store.output.writer('run', 'step', 0);
    await writer.write(new TextEncoder().encode('before\n'));
    const empty = fill(disk);
    let error: StoreError | undefined;
    for (let i = 0; error === undefined && i < 1000; i++) {
      try {
        await writer.write(new Uint8Array(4096).fill(46));
      } catch (reason) {
        error = refusal(reason);
      }
    }
    expect(error?.code).toBe('disk-full');
    empty();
    await writer.write(new TextEncoder().encode('\nafter\n'));
    await writer.end();
    const size = (await store.output.read('run', 'step', 0, 0, 0)).size;
    expect(Buffer.from((await store.output.read('run', 'step', 0, 0, 7)).bytes).toString()).toBe('before\n');
    expect(Buffer.from((await store.output.read('run', 'step', 0, size - 7, 7)).bytes).toString()).toBe(
      '\nafter\n',
    );
    await store.close();
  });
});

describe('a disk mounted read-only', () => {
  it('is read, and refuses to be written', async ({ skip }) => {
    const disk = mountedOrSkip(skip, '3m');
    const dir = join(disk, 'data');
    const first = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir, driver });
    await first.begin('run', { kind: 'run', id: 'first', events: [note('begin')] });
    await first.close();
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    const store = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir, driver });
    expect(await store.read('run', 0)).toHaveLength(1);
    const error = refusal(
      await store.begin('other', { kind: 'run', id: 'second', events: [note('begin')] }).then(
        () => null,
        (reason: unknown) => reason,
      ),
    );
    expect(error.code).toBe('store-readonly');
    await store.close();
  });
});
