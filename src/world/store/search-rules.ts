import type { AnyEvent, AnyKind } from '../../core/stream/index.ts';

/** So much of the text that a stream is found by is kept, in characters. */
export const longestText = 64 * 1024;

/** What these events add to the text of their stream. */
export const textAdded = (kind: AnyKind, events: readonly AnyEvent[]): string =>
  events.map(kind.textOf).filter(Boolean).join('\n').slice(0, longestText);

export const wordsOf = (query: string): string[] => query.split(/\s+/).filter(Boolean);

/** An index of triples of letters knows no shorter word. */
export const isLongWord = (word: string): boolean => [...word].length >= 3;

/** The word anywhere, as LIKE has it with a backslash for its escape. */
export const anywhere = (word: string): string => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** The first line with any of the words, as much of it as is shown. */
export function lineWith(text: string, query: string): string | null {
  const words = wordsOf(query.toLowerCase());
  const line = text.split('\n').find((candidate) => {
    const lower = candidate.toLowerCase();
    return words.some((word) => lower.includes(word));
  });
  return line === undefined ? null : line.slice(0, 300);
}
