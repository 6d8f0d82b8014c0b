import { findRanges, type SecretRange } from './find.ts';
import { createLines } from './lines.ts';
import type { SecretByteStream, SecretFilter, SecretFilterOptions, SecretStream } from './types.ts';
import { variants } from './values.ts';

export function createSecretFilter(options: SecretFilterOptions = {}): SecretFilter {
  const values = variants(options.values ?? []);
  const ranges = (text: string): SecretRange[] =>
    merge([...findRanges(text), ...literalRanges(text, values)]);
  const hold = values.reduce((most, value) => (/\s/.test(value) ? Math.max(most, value.length) : most), 0);
  const stream = (): SecretStream => createLines({ ranges, hold });
  return {
    text(text) {
      const lines = stream();
      return lines.push(text) + lines.flush();
    },
    stream,
    bytes: () => byteStream(stream()),
  };
}

function literalRanges(text: string, values: readonly string[]): SecretRange[] {
  const found: SecretRange[] = [];
  for (const value of values) {
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
      found.push({ start: at, end: at + value.length, kind: 'known value' });
    }
  }
  return found;
}

/** Overlapping and touching ranges become one. */
function merge(ranges: SecretRange[]): SecretRange[] {
  if (ranges.length < 2) return ranges;
  ranges.sort((a, b) => a.start - b.start);
  const merged: SecretRange[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last && range.start < last.end)
      merged[merged.length - 1] = { ...last, end: Math.max(last.end, range.end) };
    else merged.push(range);
  }
  return merged;
}

function byteStream(inner: SecretStream): SecretByteStream {
  const encoder = new TextEncoder();
  let decoder = new TextDecoder();
  return {
    push: (chunk) => encoder.encode(inner.push(decoder.decode(chunk, { stream: true }))),
    flush() {
      const rest = encoder.encode(inner.push(decoder.decode()) + inner.flush());
      decoder = new TextDecoder();
      return rest;
    },
  };
}
