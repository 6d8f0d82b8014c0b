import { expect, it } from 'vitest';
import type { Claim, LogName } from '../../../core/stream/index.ts';
import { begin, note } from '../test-support.ts';
import { type MakeWorld, never, promises } from './world.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (chunk: { bytes: Uint8Array }) => new TextDecoder().decode(chunk.bytes);

/** What output logs promise on every store. */
export const outputConformance = (make: MakeWorld): void =>
  promises('output', make, (world, store) => {
    const log: LogName = ['run', 'step', 0];

    it('is read by its place while it is written, by every process', async () => {
      const writer = await store().output.writer(...log);
      const other = await world().party(2);
      await Promise.all([writer.write(bytes('hello ')), writer.write(bytes('world\n'))]);
      expect(text(await other.output.read(...log, 0, 100))).toBe('hello world\n');
      expect(await other.output.read(...log, 6, 3)).toEqual({
        bytes: bytes('wor'),
        next: 9,
        size: 12,
        isEnded: false,
        noted: 0,
      });
      await writer.end();
      await writer.end();
      expect(await other.output.read(...log, 12, 100)).toMatchObject({ next: 12, isEnded: true });
    });

    it('that is ended with what is appended next is there with it, for every process', async () => {
      const other = await world().party(2);
      await begin(store());
      const { claim } = (await store().claim('run')) as { claim: Claim };
      for (const [attempt, said] of [
        [0, 'little\n'],
        [1, 'x'.repeat(100_000)],
      ] as const) {
        const writer = await store().output.writer('run', 'step', attempt);
        const written = writer.write(bytes(said));
        await Promise.all([written, writer.end({ withNext: true })]);
        const id = `after-${attempt}`;
        await store().append('run', { id, events: [note(2)], epoch: claim.epoch });
        const read = await other.output.read('run', 'step', attempt, 0, 200_000);
        expect(text(read)).toBe(said);
        expect(read).toMatchObject({ size: said.length, isEnded: true });
      }
      await claim.release();
    });

    it('that is ended so is read where nothing is appended, and goes on where it was begun before', async () => {
      await begin(store());
      for (const said of ['one\n', 'two\n']) {
        const writer = await store().output.writer(...log);
        void writer.write(bytes(said));
        await writer.end({ withNext: true });
      }
      expect(await store().output.read(...log, 0, 100)).toMatchObject({ size: 8, isEnded: true });
      const late = await store().output.writer(...log);
      void late.write(bytes('three\n'));
      await late.end({ withNext: true });
      await store().append('run', { id: 'next', events: [note(2)] });
      const other = await world().party(2);
      expect(text(await other.output.read(...log, 0, 100))).toBe('one\ntwo\nthree\n');
    });

    it('that is ended so and left alone is there when its process closes', async () => {
      const other = await world().party(2);
      const writer = await store().output.writer(...log);
      void writer.write(bytes('last words\n'));
      await writer.end({ withNext: true });
      await store().close();
      expect(text(await other.output.read(...log, 0, 100))).toBe('last words\n');
    });

    it('that was never begun is empty, and logs are kept apart', async () => {
      const none = { bytes: bytes(''), next: 0, size: 0, isEnded: false, noted: 0 };
      expect(await store().output.read(...log, 0, 100)).toEqual(none);
      const writer = await store().output.writer('run', 'step', 1);
      await writer.write(bytes('x'));
      await writer.end();
      for (const other of [log, ['run', 'other', 1], ['two', 'step', 1]] as LogName[])
        expect(await store().output.read(...other, 0, 100)).toEqual(none);
    });

    it('says which part came from stderr, that there is more of it, and goes on with it', async () => {
      expect(await store().output.errors(...log)).toEqual([]);
      const writer = await store().output.writer(...log);
      await writer.write(bytes('out\n'));
      await writer.write(bytes('bad\n'), 'stderr');
      await writer.write(bytes('worse\n'), 'stderr');
      await writer.write(bytes('out\n'));
      const { noted } = await store().output.read(...log, 0, 1);
      expect(noted).toBeGreaterThan(0);
      await writer.end();
      const later = await store().output.writer(...log);
      await later.write(bytes('late\n'), 'stderr');
      await later.end();
      expect((await store().output.read(...log, 0, 1)).noted).toBeGreaterThan(noted);
      const other = await world().party(2);
      expect(await other.output.errors(...log)).toEqual([
        [4, 14],
        [18, 23],
      ]);
      expect(await other.output.errors('run', 'other', 0)).toEqual([]);
    });

    it('goes on at the end of what is there', async () => {
      for (const part of ['one ', 'two']) {
        const writer = await store().output.writer(...log);
        await writer.write(bytes(part));
        await writer.end();
      }
      expect(text(await store().output.read(...log, 0, 100))).toBe('one two');
    });

    it('keeps the head and the tail of what is long, says that something was left out, and keeps every place', async () => {
      const writer = await store().output.writer(...log);
      const piece = bytes('0123456789abcdef'.repeat(16 * 1024));
      const total = 40 * piece.length;
      for (let n = 0; n < 40; n++) await writer.write(piece);
      await writer.write(bytes('the end'));
      await writer.end();
      let [offset, kept, gaps] = [0, 0, 0];
      for (;;) {
        const chunk = await store().output.read(...log, offset, 1 << 20);
        if (chunk.bytes.length === 0) break;
        expect(chunk.size).toBe(total + 7);
        if (chunk.next !== offset + chunk.bytes.length) {
          gaps++;
          expect(text(chunk)).toContain('[output truncated]');
        } else kept += chunk.bytes.length;
        offset = chunk.next;
      }
      expect(offset).toBe(total + 7);
      expect(gaps).toBe(1);
      expect(kept).toBeLessThanOrEqual(5 * 1024 * 1024);
      expect(text(await store().output.read(...log, total, 100))).toBe('the end');
    });

    it('is followed until it ends', async () => {
      const writer = await store().output.writer(...log);
      await writer.write(bytes('one '));
      const other = await world().party(2);
      const following = (async () => {
        let all = '';
        for await (const chunk of other.output.follow(...log, never)) all += text(chunk);
        return all;
      })();
      await writer.write(bytes('two'));
      await writer.end();
      expect(await following).toBe('one two');
    });

    it('is refused to a writer that has ended', async () => {
      const writer = await store().output.writer(...log);
      await writer.end();
      await expect(writer.write(bytes('late'))).rejects.toMatchObject({ code: 'store-closed' });
    });
  });
