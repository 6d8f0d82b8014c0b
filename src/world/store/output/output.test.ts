import { appendFileSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LogName, Output } from '../../../core/stream/index.ts';
import { tempDir } from '../test-support.ts';
import { fileNameOf, headBytes, marker, pieceBytes } from './files.ts';
import { logsOf } from './names.ts';
import { createOutput } from './output.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (chunk: { bytes: Uint8Array }) => new TextDecoder().decode(chunk.bytes);
const log = ['run', 'step', 0] as const;

async function readWhole(output: Output, limit = 1 << 20): Promise<{ whole: Uint8Array; offsets: number[] }> {
  const parts: Uint8Array[] = [];
  const offsets: number[] = [];
  for (let offset = 0; ; ) {
    const chunk = await output.read(...log, offset, limit);
    if (chunk.bytes.length === 0) return { whole: Buffer.concat(parts), offsets };
    parts.push(chunk.bytes);
    offsets.push(offset);
    offset = chunk.next;
  }
}
/** Bytes that say where they are, so that a wrong place shows. */
function pattern(start: number, length: number): Uint8Array {
  const made = new Uint8Array(length);
  for (let i = 0; i < length; i++) made[i] = 33 + (((start + i) * 31 + ((start + i) >> 8)) % 90);
  return made;
}

describe('an output log', () => {
  it('is found without reading the folder, which holds the logs of all steps', async () => {
    const dir = tempDir();
    const output = createOutput(dir);
    const writer = await output.writer(...log);
    await writer.write(bytes('hello'));
    // Only a full head is followed by pieces: whoever lists the folder believes this one.
    writeFileSync(join(dir, 'run', 'step.0.100'), 'x');
    expect(await output.read(...log, 0, 100)).toMatchObject({ bytes: bytes('hello'), size: 5 });
  });

  it('is read by place while it is written', async () => {
    const output = createOutput(tempDir());
    const writer = await output.writer(...log);
    await writer.write(bytes('hello '));
    await writer.write(bytes('world\n'));
    expect(text(await output.read(...log, 0, 100))).toBe('hello world\n');
    expect(await output.read(...log, 6, 3)).toMatchObject({
      bytes: bytes('wor'),
      next: 9,
      size: 12,
      isEnded: false,
    });
    expect(await output.read(...log, 12, 100)).toMatchObject({ bytes: bytes(''), next: 12 });
    await writer.end();
    await writer.end();
    expect(await output.read(...log, 12, 100)).toMatchObject({ isEnded: true });
  });

  it('that was never begun is empty', async () => {
    const chunk = await createOutput(tempDir()).read(...log, 0, 100);
    expect(chunk).toEqual({ bytes: bytes(''), next: 0, size: 0, isEnded: false, noted: 0 });
  });

  it('keeps everything up to 5 MB', async () => {
    const output = createOutput(tempDir());
    const writer = await output.writer(...log);
    const all = pattern(0, headBytes + 2 * pieceBytes);
    for (let at = 0; at < all.length; at += 100_003) await writer.write(all.subarray(at, at + 100_003));
    await writer.end();
    expect(Buffer.compare((await readWhole(output)).whole, all)).toBe(0);
  });

  it('beyond that keeps the head, a marker and the tail, on 5 MB of disk', async () => {
    const root = tempDir();
    const output = createOutput(root);
    const writer = await output.writer(...log);
    const size = 12 * 1024 * 1024 + 4321;
    for (let at = 0; at < size; at += 65_536) await writer.write(pattern(at, Math.min(65_536, size - at)));
    await writer.end();

    const onDisk = readdirSync(join(root, 'run')).reduce(
      (sum, name) => sum + statSync(join(root, 'run', name)).size,
      0,
    );
    expect(onDisk).toBeLessThanOrEqual(5 * 1024 * 1024);
    const { whole } = await readWhole(output);
    const tailLength = whole.length - headBytes - marker.length;
    expect(tailLength).toBeGreaterThanOrEqual(pieceBytes);
    expect(tailLength).toBeLessThanOrEqual(2 * pieceBytes);
    expect(Buffer.compare(whole.subarray(0, headBytes), pattern(0, headBytes))).toBe(0);
    expect(Buffer.from(whole.subarray(headBytes, headBytes + marker.length)).toString()).toBe(marker);
    expect(Buffer.compare(whole.subarray(-tailLength), pattern(size - tailLength, tailLength))).toBe(0);

    const inGap = await output.read(...log, headBytes + 1_000_000, 10);
    expect(inGap).toMatchObject({ next: size - tailLength, size });
    expect(text(inGap)).toBe(marker);
    expect((await output.read(...log, inGap.next, 10)).bytes).toEqual(pattern(inGap.next, 10));
  });

  it('takes 100 MB with bounded memory', async () => {
    const output = createOutput(tempDir());
    const writer = await output.writer(...log);
    const chunk = new Uint8Array(1 << 20).fill(97);
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 100; i++) await writer.write(chunk);
    await writer.end();
    expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20);
  });

  it('goes on where a killed writer stopped, in the head and in the tail', async () => {
    const output = createOutput(tempDir());
    const parts = [1000, headBytes, pieceBytes + 5, 10];
    let at = 0;
    for (const length of parts) {
      await (await output.writer(...log)).write(pattern(at, length));
      at += length;
    }
    expect(Buffer.compare((await readWhole(output)).whole, pattern(0, at))).toBe(0);
  });

  it('is followed to its end, also by a slow reader who meets the gap', async () => {
    const output = createOutput(tempDir());
    const writer = await output.writer(...log);
    await writer.write(bytes('first\n'));
    const follow = output.follow(...log, new AbortController().signal)[Symbol.asyncIterator]();
    expect(text((await follow.next()).value!)).toBe('first\n');
    await writer.write(pattern(6, 8 << 20));
    await writer.end();
    let sawMarker = false;
    for (let next = await follow.next(); !next.done; next = await follow.next()) {
      sawMarker ||= text(next.value) === marker;
    }
    expect(sawMarker).toBe(true);
  });

  it('is followed although the clock of the machine is set back', async () => {
    const { now } = Date;
    let turned = 0;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() - turned);
    onTestFinished(() => clock.mockRestore());
    const output = createOutput(tempDir());
    const writer = await output.writer(...log);
    const next = output
      .follow(...log, new AbortController().signal)
      [Symbol.asyncIterator]()
      .next();
    // By now it waits for more.
    await new Promise(setImmediate);
    turned = 60 * 60 * 1000;
    await writer.write(bytes('late\n'));
    expect(text((await next).value!)).toBe('late\n');
  });

  it('stops being followed when the signal aborts', async () => {
    const abort = new AbortController();
    const follow = createOutput(tempDir())
      .follow(...log, abort.signal)
      [Symbol.asyncIterator]();
    const next = follow.next();
    abort.abort();
    expect((await next).done).toBe(true);
  });

  it('is for its owner only and stays in its folder, whatever the ids are', async () => {
    const root = tempDir();
    const output = createOutput(root);
    const ids = ['../../etc/passwd', '..', '.', '', 'a/b', 'A', 'a', 'x'.repeat(300), 'ü', 'con:1', 'a\0b'];
    for (const id of ids) await (await output.writer(id, id, 0)).write(bytes(id));
    expect(new Set(ids.map(fileNameOf)).size).toBe(ids.length);
    expect(new Set(ids.map((id) => fileNameOf(id).toLowerCase())).size).toBe(ids.length);
    expect(readdirSync(root)).toHaveLength(ids.length);
    for (const id of ids) expect(text(await output.read(id, id, 0, 0, 1000))).toBe(id);
    for (const folder of readdirSync(root)) {
      expect(statSync(join(root, folder)).mode & 0o777).toBe(0o700);
      for (const file of readdirSync(join(root, folder))) {
        expect(statSync(join(root, folder, file)).mode & 0o777).toBe(0o600);
      }
    }
  });
});

describe('the end of a log', () => {
  const ended = async (root: string, ...[stream, of, attempt]: LogName) =>
    (await createOutput(root).read(stream, of, attempt, 0, 100)).isEnded;

  it('makes no file, nor does a log that nothing was written to', async () => {
    const root = tempDir();
    const output = createOutput(root);
    for (const of of ['a', 'b', 'c']) {
      const writer = await output.writer('run', of, 0);
      if (of === 'b') await writer.write(bytes('said'));
      expect(await ended(root, 'run', of, 0)).toBe(false);
      await writer.end();
      expect(await ended(root, 'run', of, 0)).toBe(true);
    }
    expect(await ended(root, 'run', 'a', 1)).toBe(false);
    expect(readdirSync(join(root, 'run'))).toEqual(['b.0.head', 'ends']);
    expect(
      logsOf(root, 'run', [])
        .logs.map(([, of]) => of)
        .toSorted(),
    ).toEqual(['a', 'b', 'c']);
  });

  it('costs no other one that somebody was killed in', async () => {
    const root = tempDir();
    const output = createOutput(root);
    await (await output.writer('run', 'a', 0)).end();
    expect(await ended(root, 'run', 'a', 0)).toBe(true);
    appendFileSync(join(root, 'run', 'ends'), '\nb.1.en');
    expect(await ended(root, 'run', 'b', 1)).toBe(false);
    await (await output.writer('run', 'c', 0)).end();
    expect(await ended(root, 'run', 'b', 1)).toBe(false);
    expect(await ended(root, 'run', 'c', 0)).toBe(true);
  });

  it('goes with its folder: one of the same name has not ended', async () => {
    const root = tempDir();
    const output = createOutput(root);
    await (await output.writer(...log)).end();
    expect(await ended(root, ...log)).toBe(true);
    rmSync(join(root, 'run'), { recursive: true });
    await (await output.writer('run', 'other', 12)).end();
    expect(await ended(root, ...log)).toBe(false);
  });
});

it('a log that cannot be written is not begun', async () => {
  const root = tempDir();
  writeFileSync(join(root, 'run'), 'no folder');
  await expect(createOutput(root).writer(...log)).rejects.toThrow();
});

describe('the log of a service', () => {
  it('is written by the service itself, read like any other, and ended by whoever ends it', async () => {
    const output = createOutput(tempDir());
    const service = await output.serviceLog(...log);
    writeSync(service.fd, 'hello ');
    await (await output.serviceLog(...log)).close();
    writeSync(service.fd, 'world\n');
    await service.close();
    await service.close();
    expect(text(await output.read(...log, 0, 100))).toBe('hello world\n');
    await (await output.writer(...log)).end();
    expect(await output.read(...log, 0, 100)).toMatchObject({ size: 12, isEnded: true });
  });

  it('is capped while it is written: head, marker, newest pieces, and what is left out is counted', async () => {
    const root = tempDir();
    const output = createOutput(root);
    const service = await output.serviceLog(...log);
    const size = headBytes + 4 * pieceBytes;
    const all = pattern(0, size + 1000);
    for (let at = 0; at < size; at += pieceBytes / 2) {
      writeSync(service.fd, all, at, pieceBytes / 2);
      await service.cap();
    }
    const { whole } = await readWhole(output);
    expect(Buffer.compare(whole.subarray(0, headBytes), all.subarray(0, headBytes))).toBe(0);
    expect(text({ bytes: whole.subarray(headBytes, headBytes + marker.length) })).toBe(marker);
    expect(Buffer.compare(whole.subarray(-pieceBytes), all.subarray(size - pieceBytes, size))).toBe(0);
    expect((await output.read(...log, 0, 1)).size).toBe(size);
    writeSync(service.fd, all, size, 1000);
    await service.cap();
    expect(Buffer.compare((await readWhole(output)).whole.subarray(-1000), all.subarray(size))).toBe(0);
    const onDisk = readdirSync(join(root, 'run')).map((name) => statSync(join(root, 'run', name)).size);
    expect(onDisk.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(headBytes + 2 * pieceBytes);
    await service.close();
  });
});
