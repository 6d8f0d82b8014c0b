import type { RunEvent } from '../../src/core/contract/index.ts';
import { runKind } from '../../src/core/run/index.ts';
import { type Append, kindsOf, type Store } from '../../src/core/stream/index.ts';
import type { App } from '../../src/doors/app/app.ts';
import { openStore } from '../../src/world/store/index.ts';

type Of = Pick<App, 'places' | 'driver'>;

async function withStore<T>(
  { places, driver }: Of,
  work: (store: Store<RunEvent>) => Promise<T>,
): Promise<T> {
  const store = await openStore<RunEvent>({ dir: places.data, driver, kinds: kindsOf(runKind) });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Writes to a run what no door would: as another process that has the store open. */
export const appendTo = (app: Of, run: string, append: Append<RunEvent>) =>
  withStore(app, (store) => store.append(run, append));

/** Begins a run as no door would. */
export const beginRun = (app: Of, run: string, events: RunEvent[]) =>
  withStore(app, (store) => store.begin(run, { kind: 'run', id: 'begin', events }));
