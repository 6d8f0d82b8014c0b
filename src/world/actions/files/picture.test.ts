import { expect, test } from 'vitest';
import { keepPicture, readPicture } from '../../tools/index.ts';
import { memoryOutput } from '../testing.ts';

const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from('dots'),
]);

test('a picture is kept once, whole, and read as it was', async () => {
  const output = memoryOutput();
  const kept = await keepPicture(output, 'c', 'dots.png', png);
  expect(kept).toMatchObject({ type: 'image/png', bytes: png.length, name: 'dots.png' });
  expect(await keepPicture(output, 'c', 'again.png', png)).toMatchObject({ hash: kept.hash });
  expect(await readPicture(output, 'c', kept)).toEqual(png);
  expect(output.text(`picture:${kept.hash}#0`).length).toBe(png.toString().length);
});

test('what a crash left half written is completed; what is not the picture any more is none', async () => {
  const { hash } = await keepPicture(memoryOutput(), 'c', 'x', png);
  const half = memoryOutput();
  const writer = await half.writer('c', `picture:${hash}`, 0);
  await writer.write(png.subarray(0, 5));
  const appending = { ...half, writer: async () => writer };
  expect(await readPicture(half, 'c', { hash, bytes: png.length })).toBeNull();
  await keepPicture(appending, 'c', 'x', png);
  expect(await readPicture(half, 'c', { hash, bytes: png.length })).toEqual(png);
  expect(await readPicture(half, 'c', { hash, bytes: png.length - 1 })).toBeNull();
});
