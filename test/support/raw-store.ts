import type { RunEvent } from '../../src/core/contract/index.ts';
import { runKind } from '../../src/core/run/index.ts';
import { type Append, type Appended, kindsOf } from '../../src/core/stream/index.ts';
import type { App } from '../../src/doors/app/index.ts';
import { openStore } from '../../src/world/store/index.ts';

/** Writes to a run what no door would: as another process that has the store open. */
export async function appendTo(
  { places, driver }: Pick<App, 'places' | 'driver'>,
  run: string,
  append: Append<RunEvent>,
): Promise<Appended> {
  const store = await openStore<RunEvent>({ dir: places.data, driver, kinds: kindsOf(runKind) });
  try {
    return await store.append(run, append);
  } finally {
    await store.close();
  }
}
