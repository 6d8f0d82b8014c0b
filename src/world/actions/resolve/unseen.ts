import type { Verdict } from '../../../core/contract/index.ts';

/** Why it is not known what a command touches: sentences for a person. */
export const whys = {
  command: 'Which command runs is only known when it runs.',
  program: (name: string): string => `What \`${name}\` touches is only known when it runs.`,
  open: (by: string, name: string): string =>
    `What \`${by}\` hands to \`${name}\` is only known when it runs.`,
  elsewhere: (name: string): string =>
    `What \`${name}\` starts runs where nothing can be looked at beforehand.`,
  word: (text: string): string => `What ${text} stands for is only known when it runs.`,
  folder: (text: string): string => `In which folder ${text} lies is only known when it runs.`,
  unread: 'It cannot be read as bash, so what it touches is not known.',
  long: 'It is too long to be followed to its end.',
} as const;

/** One command that was read, by its place in the text; `why`: what it touches is not all known. */
export interface Seen {
  readonly span: readonly [number, number];
  readonly why?: string;
}

/** Notes that the command which is read now was read; `why`: that what it touches is not all known. */
export function notice(
  { at, found }: { at: Seen['span']; found: { seen: Map<string, Seen> } },
  why?: string,
): void {
  const key = `${at.join()} ${why ?? ''}`;
  if (!found.seen.has(key)) found.seen.set(key, { span: at, ...(why === undefined ? {} : { why }) });
}

const MAX_WHYS = 3;

/**
 * Why the paths of a dangerous verdict are not all that it touches; undefined where they are. Whatever earned the
 * verdict must be a command that was read, and known to touch nothing but what was found: silence is no proof.
 */
export function unseenOf({ level, reasons }: Verdict, seen: readonly Seen[]): string | undefined {
  if (level !== 'dangerous') return undefined;
  const found = new Set<string>();
  for (const reason of reasons) {
    if (reason.level !== 'dangerous') continue;
    for (const why of whysOf(reason.span, seen)) found.add(why);
  }
  if (found.size === 0) return undefined;
  const more = found.size > MAX_WHYS ? [`And ${found.size - MAX_WHYS} more like these.`] : [];
  return [...[...found].slice(0, MAX_WHYS), ...more].join(' ');
}

function whysOf(span: readonly [number, number] | undefined, seen: readonly Seen[]): string[] {
  const over = span ? seen.filter((one) => one.span[0] < span[1] && span[0] < one.span[1]) : seen;
  const width = ({ span: [from, to] }: Seen): number => to - from;
  const least = over.reduce((sum, one) => Math.min(sum, width(one)), Number.POSITIVE_INFINITY);
  // Of commands within each other, the innermost is meant.
  const meant = span ? over.filter((one) => width(one) === least) : over;
  return meant.length === 0 ? [whys.command] : meant.flatMap(({ why }) => why ?? []);
}
