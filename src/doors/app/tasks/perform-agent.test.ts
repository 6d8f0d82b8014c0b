import { expect, test } from 'vitest';
import type { TaskDriving } from './driving.ts';
import { liveLog } from './perform-agent.ts';

type Given = Pick<TaskDriving, 'output' | 'filter'>;
const MB = 'x'.repeat(1024 * 1024);
const plain = { bytes: () => ({ push: (chunk: Uint8Array) => chunk, flush: () => new Uint8Array() }) };

const logOn = (writer: () => Promise<unknown>) =>
  liveLog({ output: { writer }, filter: () => plain } as unknown as Given, 'r1', 1);

test('an agent that prints 100 MB faster than the disk takes them is not held in memory, and what is missing is said', async () => {
  const disk = Promise.withResolvers<void>();
  const kept: string[] = [];
  const log = await logOn(async () => ({
    async write(chunk: Uint8Array) {
      await disk.promise;
      kept.push(chunk.length > 1000 ? 'MB' : new TextDecoder().decode(chunk));
    },
    end: async () => {},
  }));
  for (let n = 0; n < 100; n += 1) log.write(MB);
  disk.resolve();
  await log.end();
  expect(kept.filter((part) => part === 'MB').length).toBeLessThan(20);
  expect(kept.join('')).toMatch(/MB\n· 8\d(?:\.\d)? MB were not kept\n$/);
});

test('a disk that is full keeps nobody from working', async () => {
  const log = await logOn(async () => Promise.reject(new Error('ENOSPC')));
  log.write('at it');
  await expect(log.end()).resolves.toBeUndefined();
  const broken = await logOn(async () => ({
    write: async () => Promise.reject(new Error('ENOSPC')),
    end: async () => Promise.reject(new Error('ENOSPC')),
  }));
  broken.note('at it');
  await expect(broken.end()).resolves.toBeUndefined();
});
