import { Pieces } from '../../core/contract/index.ts';
import { createSecretFilter, type SecretFilter, secretValues } from '../../core/risk/secrets/index.ts';
import type { AnyKind, Sealing } from '../../core/stream/index.ts';
import { AppError } from './errors.ts';
import type { Env } from './places.ts';

/**
 * Hides what looks like a secret and what this stream has to hide, whoever reads. A driver adds the secret-looking variables
 * of its own environment, which its steps can see before the journal knows of them.
 */
export function secretFilterFor(
  kind: AnyKind,
  state: unknown,
  sealing: Sealing,
  env: Env = {},
): SecretFilter {
  const sealed = openSealed(kind.hides?.sealedIn(state) ?? [], sealing);
  const own = kind.hides?.secretsIn(state) ?? [];
  return createSecretFilter({ values: [...sealed, ...secretValues(env), ...own] });
}

/** What a stream has sealed. Throws where that cannot be known: then nothing of it may be shown. */
export const openSealed = (sealed: readonly string[], sealing: Sealing): string[] =>
  sealed.map((text) => {
    const value = sealing.open(text);
    if (value !== null) return value;
    const why = 'what it has to hide was sealed with another key than that of the data folder';
    throw new AppError('secrets-sealed', `this run cannot be shown: ${why}. Bring that key back.`);
  });

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
    const made =
      value instanceof Pieces ? value.byPiece((piece) => redact(piece) as unknown[]) : within(value);
    seen.set(value, made);
    return made;
  };
  /** Itself where there is nothing to hide in it, which is nearly always. */
  const within = (whole: object): object => {
    let made: Record<string, unknown> | null = null;
    for (const [key, part] of Object.entries(whole)) {
      const shown = redact(part);
      if (shown === part) continue;
      made ??= (Array.isArray(whole) ? [...whole] : { ...whole }) as Record<string, unknown>;
      made[key] = shown;
    }
    return made ?? whole;
  };
  return { value: <T>(value: T) => redact(value) as T, bytes: () => streamOf(filter) };
}

const unknownWords = new Map<string, unknown>([
  ['goal', '[secret]'],
  ['line', '[secret]'],
  ['currentStep', null],
]);

/** A row without what its stream has to hide. Where that cannot be known (null), its words stay here. */
export function rowWithout<R extends object>(row: R, redactor: Redactor | null): R {
  if (redactor !== null) return redactor.value(row);
  const hidden = Object.entries(row).map(([key, value]) => [
    key,
    unknownWords.has(key) ? unknownWords.get(key) : value,
  ]);
  return Object.fromEntries(hidden) as R;
}
