import type { RunState } from '../../core/contract/index.ts';
import { createSecretFilter, type SecretFilter, secretValues } from '../../core/risk/index.ts';
import type { Env } from './places.ts';

/** Hides what looks like a secret, the values of secret-looking variables, and the secret inputs of this run. */
export function secretFilterFor(env: Env, state: RunState): SecretFilter {
  const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const inputs = state.plan?.inputs?.filter(({ secret }) => secret === true) ?? [];
  const given = inputs.flatMap(({ name }) => {
    const value = state.values[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
  return createSecretFilter({ values: [...secretValues(Object.fromEntries(defined)), ...given] });
}

/** The filter for one stream of bytes, as the output log wants it. */
export function streamOf(filter: SecretFilter): {
  write(chunk: Uint8Array): Uint8Array;
  flush(): Uint8Array;
} {
  const bytes = filter.bytes();
  return { write: (chunk) => bytes.push(chunk), flush: () => bytes.flush() };
}
