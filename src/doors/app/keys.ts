import { keyName } from '../../core/contract/index.ts';
import { mustBePerson } from './agreed.ts';
import { AppError } from './errors.ts';
import { readIfThere, writePrivate } from './files.ts';
import type { Places } from './places.ts';

/*
 * Keys of model providers that people give on the page. They lie in the key file, for its owner's eyes only; a key is for
 * the host that the provider had when it was given, is never shown again, and goes when that host does.
 */

function readKeys({ keys }: Places): Record<string, string> {
  const text = readIfThere(keys);
  if (text === null) return {};
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    // What JSON.parse says may quote the text, and with it a key.
    throw new AppError('config-invalid', `${keys} is not {"PROVIDER": "KEY"}: put it right, or take it away`);
  }
}

const write = ({ keys }: Places, entries: Record<string, string>): void =>
  writePrivate(keys, `${JSON.stringify(entries, null, 2)}\n`);

/** Keeps the key of a provider for this host, or with null forgets it. Rejects where a run started this process. */
export async function setModelKey(
  places: Places,
  provider: string,
  host: string,
  key: string | null,
): Promise<void> {
  await mustBePerson(places);
  const { [keyName(provider, host)]: _old, ...others } = readKeys(places);
  write(places, key === null ? others : { ...others, [keyName(provider, host)]: key });
}

/** Its address has changed: whoever answers there now is not to be sent what was meant for another. */
export function forgetHostKeys(places: Places, provider: string): void {
  const before = readKeys(places);
  const kept = Object.entries(before).filter(([name]) => !name.startsWith(`${provider}@`));
  if (kept.length < Object.keys(before).length) write(places, Object.fromEntries(kept));
}
