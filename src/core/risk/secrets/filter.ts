import { findRanges, type SecretRange } from './find.ts';
import { createLines, hide } from './lines.ts';
import type { SecretByteStream, SecretFilter, SecretFilterOptions, SecretStream } from './types.ts';
import { variants } from './values.ts';

/** Patterns are quick on what is no longer. */
const SHORT = 4_096;

export function createSecretFilter(options: SecretFilterOptions = {}): SecretFilter {
  const values = variants(options.values ?? []);
  const ranges = (text: string): SecretRange[] =>
    merge([...findRanges(text), ...literalRanges(text, values)]);
  const hold = values.reduce((most, value) => (/\s/.test(value) ? Math.max(most, value.length) : most), 0);
  const stream = (): SecretStream => createLines({ ranges, hold });
  return {
    text(text) {
      // No secret crosses a line end but a private key, so that a text that is all there needs no stream.
      if (text.length <= SHORT && !text.includes('-----BEGIN ')) return hide(text, ranges(text));
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
