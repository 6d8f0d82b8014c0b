import { kindsOf } from '../../src/core/stream/index.ts';
import type { Drivable } from '../../src/doors/app/streams.ts';
import { thisDriver } from '../../src/world/process/identity.ts';
import { openStore, systemClock } from '../../src/world/store/index.ts';
import { openPostgres } from '../../src/world/store/postgres/index.ts';
import { createToyMachine, type ToyEvent, type ToyFact, type ToyPorts, toyKind } from './toy-kind.ts';

/** Toys as an app drives them. */
export const drivableToys = (count: ToyPorts['count'] = async () => true): Drivable => ({
  kind: toyKind,
  foldVersion: () => 'toy-1',
  async open(_id, _state, children) {
    return { machine: createToyMachine(thisDriver(), { count, children }), close: async () => {} };
  },
});

/** Somebody else, in a store of their own on the same data folder or database, begins a toy. */
export async function beginToy(
  dir: string,
  id: string,
  more: Partial<Extract<ToyFact, { type: 'toy-begun' }>>,
  url: string | null = null,
) {
  const options = { dir, driver: thisDriver(), kinds: kindsOf(toyKind) };
  const store = await (url === null
    ? openStore<ToyEvent>(options)
    : openPostgres<ToyEvent>({ ...options, url }));
  const event: ToyEvent = { v: 1, at: systemClock.now(), type: 'toy-begun', target: 2, ...more };
  await store.begin(id, { kind: 'toy', id: 'begin', events: [event] });
  await store.close();
}
