import type { Verdict } from '../../../core/contract/index.ts';

const short = (text: string): string =>
  text.length > 60 ? `${text.slice(0, 59).replace(/\s+/g, ' ')}…` : text.replace(/\s+/g, ' ');

/** Why it is not known what a command touches: sentences for a person. */
export const whys = {
  command: 'Which command runs is only known when it runs.',
  program: (name: string): string => `What \`${name}\` touches is only known when it runs.`,
  open: (by: string, name: string): string =>
    `What \`${by}\` hands to \`${name}\` is only known when it runs.`,
  elsewhere: (name: string): string =>
    `What \`${name}\` starts runs where nothing can be looked at beforehand.`,
  word: (text: string): string => `What ${short(text)} stands for is only known when it runs.`,
  folder: (text: string): string => `In which folder ${short(text)} lies is only known when it runs.`,
  nothing: 'Which files it touches, if any, cannot be known beforehand.',
  unread: 'It cannot be read as bash, so what it touches is not known.',
  long: 'It is too long to be followed to its end.',
} as const;

/** One command that was read, by its place in the text. */
export interface Seen {
  readonly span: readonly [number, number];
  /** Why what it touches is not all known. */
  readonly whys: Set<string>;
  /** Something that it touches was found. */
  touches: boolean;
}

export type SeenCommands = Map<string, Seen>;

/** Where the command stands that is read now, and where to note what is found out about it. */
interface Here {
  readonly at: Seen['span'];
  readonly found: { readonly seen: SeenCommands };
}

function seenAt({ at, found: { seen } }: Here): Seen {
  const key = at.join();
  let here = seen.get(key);
  if (!here) seen.set(key, (here = { span: at, whys: new Set(), touches: false }));
  return here;
}

export const noteUnknown = (here: Here, why: string): void => void seenAt(here).whys.add(why);

export const noteSeen = (here: Here, touches: boolean): void => {
  seenAt(here).touches ||= touches;
};

const MAX_WHYS = 3;

/**
 * Why the paths of a dangerous verdict are not all that it touches; undefined where they are. Whatever earned the
 * verdict must be a command that was read, of which it is known what it touches: silence is no proof.
 */
export function unknownPathsOf({ level, reasons }: Verdict, seen: readonly Seen[]): string | undefined {
  if (level !== 'dangerous') return undefined;
  const found = new Set<string>();
  for (const reason of reasons)
    if (reason.level === 'dangerous') for (const why of whysOf(reason.span, seen)) found.add(why);
  if (found.size === 0) return undefined;
  const more = found.size > MAX_WHYS ? [`And ${found.size - MAX_WHYS} more like these.`] : [];
  return [...[...found].slice(0, MAX_WHYS), ...more].join(' ');
}

function whysOf(
  [from, to]: readonly [number, number] = [0, Number.POSITIVE_INFINITY],
  seen: readonly Seen[],
): string[] {
  const around = seen.filter(({ span }) => span[0] <= from && to <= span[1]);
  // Of commands within each other, the innermost is meant.
  const innermost = around.toSorted((a, b) => a.span[1] - a.span[0] - (b.span[1] - b.span[0]))[0];
  const meant = innermost ? [innermost] : seen.filter(({ span }) => span[0] < to && from < span[1]);
  const found = meant.flatMap(({ whys }) => [...whys]);
  return found.length > 0 || meant.some(({ touches }) => touches) ? found : [whys.nothing];
}
