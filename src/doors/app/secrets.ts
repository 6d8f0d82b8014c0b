import type { RunState } from '../../core/contract/index.ts';
import { createSecretFilter, type SecretFilter, secretValues } from '../../core/risk/secrets/index.ts';
import { keptRuns } from '../../core/run/kept.ts';
import type { Env } from './places.ts';

/** Hides what looks like a secret, the values of secret-looking variables, and the secret inputs of this run. */
export function secretFilterFor(env: Env, state: RunState): SecretFilter {
  const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const given = keptRuns.secretsIn(state);
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

/** What may leave the program: the journal holds values exactly, every way out shows them without secrets. */
export interface Redactor {
  /** The same value with every secret in its texts hidden. Parts that it has seen before cost nothing. */
  value<T>(value: T): T;
  /** For output that was not filtered when it was written: a service writes its log itself. */
  bytes(): { write(chunk: Uint8Array): Uint8Array; flush(): Uint8Array };
}

export function createRedactor(filter: SecretFilter): Redactor {
  const seen = new WeakMap<object, unknown>();
  const redact = (value: unknown): unknown => {
    if (typeof value === 'string') return filter.text(value);
    if (typeof value !== 'object' || value === null) return value;
    const known = seen.get(value);
    if (known !== undefined) return known;
    const made = Array.isArray(value)
      ? value.map(redact)
      : Object.fromEntries(Object.entries(value).map(([key, part]) => [key, redact(part)]));
    seen.set(value, made);
    return made;
  };
  return { value: <T>(value: T) => redact(value) as T, bytes: () => streamOf(filter) };
}
