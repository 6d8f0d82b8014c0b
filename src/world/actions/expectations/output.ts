import { runInNewContext } from 'node:vm';
import type { Expectation } from '../../../core/contract/index.ts';
import type { OutputStream } from '../../process/index.ts';
import { keepTail } from '../../process/index.ts';
import { type Observed, observed } from './observed.ts';

/** A pattern is tried on this much of the end of the output, and for so long. */
const PATTERN_BYTES = 1024 * 1024;
const PATTERN_MS = 1_000;

/** Watches a command's output for what is expected of it, in bounded memory. */
export interface OutputWatch {
  see(stream: OutputStream, bytes: Uint8Array): void;
  result(): Observed;
}

type OutputExpectation = Extract<Expectation, { kind: 'output-contains' | 'output-matches' }>;

/** Null where nothing is expected of the output. */
export function watchOutput(expectation: Expectation | null): OutputWatch | null {
  if (expectation?.kind === 'output-contains') return watchText(expectation);
  if (expectation?.kind === 'output-matches') return watchPattern(expectation);
  return null;
}

const concerns = (expectation: OutputExpectation, stream: OutputStream): boolean =>
  expectation.stream === 'output' || expectation.stream === stream;

const nameOf = (expectation: OutputExpectation): string =>
  expectation.stream === 'output' ? 'the output' : expectation.stream;

/** Looks at all of it: what could be the beginning of the text is kept until the next bytes come. */
function watchText(expectation: Extract<Expectation, { kind: 'output-contains' }>): OutputWatch {
  const needle = Buffer.from(expectation.text);
  let carry: Uint8Array = new Uint8Array();
  let found = needle.length === 0;
  return {
    see(stream, bytes) {
      if (found || !concerns(expectation, stream)) return;
      const text = Buffer.concat([carry, bytes]);
      found = text.includes(needle);
      carry = Uint8Array.from(text.subarray(Math.max(0, text.length - needle.length + 1)));
    },
    result() {
      const [name, text] = [nameOf(expectation), JSON.stringify(expectation.text)];
      return expectation.contains
        ? observed(found, `${name} contains ${text}`, `expected ${name} to contain ${text}, and it does not`)
        : observed(
            !found,
            `${name} does not contain ${text}`,
            `expected ${name} not to contain ${text}, and it does`,
          );
    },
  };
}

function watchPattern(expectation: Extract<Expectation, { kind: 'output-matches' }>): OutputWatch {
  const tail = keepTail(PATTERN_BYTES);
  return {
    see(stream, bytes) {
      if (concerns(expectation, stream)) tail.add(bytes);
    },
    result() {
      const [name, pattern] = [nameOf(expectation), `/${expectation.pattern}/`];
      try {
        const matches = matchInTime(expectation.pattern, tail.text());
        return observed(
          matches,
          `${name} matches ${pattern}`,
          `expected ${name} to match ${pattern}, and it does not`,
        );
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return {
          held: null,
          sentence: `expected ${name} to match ${pattern}, which could not be tried: ${why}`,
        };
      }
    },
  };
}

/** A pattern can be made to take for ever; only a context of its own can be interrupted. Throws then. */
function matchInTime(pattern: string, text: string): boolean {
  const context = { pattern, text };
  return runInNewContext('new RegExp(pattern, "m").test(text)', context, { timeout: PATTERN_MS }) === true;
}
