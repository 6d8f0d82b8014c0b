import { kindsOf } from '../../core/stream/index.ts';
import { thisDriver } from '../../world/process/identity.ts';
import { openStore } from '../../world/store/index.ts';
import { keptKinds } from './app.ts';
import { databaseOf, rememberDatabase } from './database.ts';
import { AppError } from './errors.ts';
import { type Env, findPlaces } from './places.ts';

/** Carries the journal of this machine to the database of a fleet, and compares it there. What is here stays. */
export async function migrateToFleet(env: Env, onStream: (stream: string) => void) {
  const places = findPlaces(env);
  const { url } = databaseOf(env, places);
  if (url === null)
    throw new AppError('usage', 'say which database: planwright migrate --database postgres://…');
  const options = {
    dir: places.data,
    driver: thisDriver(),
    kinds: kindsOf(...keptKinds),
  };
  const { importStore } = await import('../../world/store/postgres/index.ts');
  const from = await openStore(options);
  try {
    const imported = await importStore({ ...options, url, schema: 'planwright', from, onStream });
    rememberDatabase(places, url);
    return imported;
  } finally {
    await from.close();
  }
}
