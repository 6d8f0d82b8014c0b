import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { drivableToys } from '../../../test/support/toy-app.ts';
import { type ToyEvent, type ToyState, toyKind } from '../../../test/support/toy-kind.ts';
import { kindsOf } from '../../core/stream/index.ts';
import { thisDriver } from '../../world/process/identity.ts';
import { openStore } from '../../world/store/index.ts';
import { createStreams } from './streams.ts';

async function openToys() {
  const dir = mkdtempSync(join(tmpdir(), 'pw-streams-'));
  const open = () => openStore<ToyEvent>({ dir, driver: thisDriver(), kinds: kindsOf(toyKind) });
  const [store, other] = [await open(), await open()];
  onTestFinished(async () => {
    await store.close();
    await other.close();
    rmSync(dir, { recursive: true, force: true });
  });
  await store.begin('t', {
    kind: 'toy',
    id: 'begin',
    events: [{ v: 1, at: 1, type: 'toy-begun', target: 1 }],
  });
  return { store, other };
}

test('what is asked while a driver gives its claim back is answered by it: whoever asked found it taken', async () => {
  const { store, other } = await openToys();
  const toys = drivableToys();
  const by = { person: 'ana', door: 'terminal' } as const;
  let asked = 0;
  const streams = createStreams({
    store,
    drivables: [
      {
        ...toys,
        async open(...given) {
          const { machine } = await toys.open(...given);
          const close = async () => {
            if (asked++ > 0) return;
            const event: ToyEvent = { v: 1, at: 2, type: 'add-requested', amount: 1, key: 'k', by };
            await other.append('t', { id: 'ask', events: [event] });
            expect(await other.claim('t')).toMatchObject({ ok: false, why: 'claimed' });
          };
          return { machine, close };
        },
      },
    ],
  });
  const { why, state, seq } = await streams.drive('t');
  expect(why).toBe('finished');
  expect((state as ToyState).inbox).toEqual([]);
  expect([asked, seq]).toEqual([2, await store.lastSeq('t')]);
});
