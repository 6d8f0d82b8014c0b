import type { StreamRow } from '../../core/contract/index.ts';
import {
  type AnyEvent,
  type AnyKind,
  type Append,
  type Appended,
  projectRow,
} from '../../core/stream/index.ts';

/** Where a stream stands. */
export interface Head {
  kind: string;
  last: number;
  epoch: number;
  row: StreamRow | null;
  /** The newest appends and where they began, as the inside of a JSON object. */
  ids: string;
}

/** One more append. */
export const withId = (ids: string, id: string, seq: number): string =>
  `${ids}${ids && ','}${JSON.stringify(id)}:${seq}`;

/** Where the append of this name began; null where it is not among the newest. */
export function seqOf(ids: string, id: string): number | null {
  if (!mayName(ids, id)) return null;
  const known = JSON.parse(`{${ids}}`);
  return Object.hasOwn(known, id) ? known[id] : null;
}

/** All that are among the newest. */
export const namesOf = (ids: string): [id: string, seq: number][] => Object.entries(JSON.parse(`{${ids}}`));

/** False where the append is not among the newest for sure. */
const mayName = (ids: string, id: string): boolean => ids.includes(`${JSON.stringify(id)}:`);

/** Why an append cannot be written at this head; null where it can. */
export function refusal(
  head: Pick<Head, 'last' | 'epoch'>,
  append: Pick<Append<AnyEvent>, 'expectedSeq' | 'epoch'>,
): Appended | null {
  if (append.epoch !== undefined && append.epoch !== head.epoch) return { ok: false, why: 'stale' };
  if (append.expectedSeq !== undefined && append.expectedSeq !== head.last)
    return { ok: false, why: 'conflict' };
  return null;
}

/** The head after these events. */
export function advance<H extends Head>(
  kind: AnyKind,
  stream: string,
  head: H,
  events: readonly AnyEvent[],
): H {
  let { last, row } = head;
  for (const event of events) row = projectRow(kind, row, { stream, seq: ++last, event });
  return { ...head, last, row };
}

const rememberedHeads = 256;

/**
 * Where the streams that were written last stood: a guess, which saves looking. Whoever writes by it must see to it that
 * nothing is written where the stream stands elsewhere by now.
 */
export function createHeadGuesses<H extends Head>() {
  const heads = new Map<string, H>();
  return {
    /** Undefined where nothing is known, or where by what is known the append would be refused or is a repeated one. */
    forAppend(stream: string, append: Append<AnyEvent>): H | undefined {
      const head = heads.get(stream);
      if (head === undefined || append.events.length === 0 || refusal(head, append) !== null)
        return undefined;
      return mayName(head.ids, append.id) ? undefined : head;
    },
    keep(stream: string, head: H): void {
      heads.delete(stream);
      heads.set(stream, head);
      if (heads.size > rememberedHeads) heads.delete(heads.keys().next().value!);
    },
    forget: (stream: string): void => void heads.delete(stream),
    /** What is known, and no longer then. */
    take(stream: string): H | undefined {
      const head = heads.get(stream);
      heads.delete(stream);
      return head;
    },
  };
}

export type HeadGuesses<H extends Head> = ReturnType<typeof createHeadGuesses<H>>;
