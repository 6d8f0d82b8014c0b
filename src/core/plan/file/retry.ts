import { MAX_RETRIES, MAX_RETRY_DELAY_MS, type Step } from '../../contract/index.ts';
import { parseDuration } from './duration.ts';

/** What a plan file or a page says of it; null where that is no number of times, or no time that may be waited. */
export function readRetry(times: unknown, delay?: string | number): NonNullable<Step['retry']> | null {
  const n = Number(times);
  if (!Number.isInteger(n) || n < 1 || n > MAX_RETRIES) return null;
  if (delay === undefined) return { times: n };
  const delayMs = parseDuration(delay);
  return delayMs === null || delayMs > MAX_RETRY_DELAY_MS ? null : { times: n, delayMs };
}

export const RETRY_MEND = `Write a number from 1 to ${MAX_RETRIES}, or \`times\` and \`delay\`, which is at most an hour.`;
