import type { Action } from '../../../core/contract/index.ts';
import type { Style } from './style.ts';
import { cleanOutput, visible } from './text/clean.ts';
import { cut, displayWidth, padEnd } from './text/width.ts';
import { wrap } from './text/wrap.ts';

/** How wide, and in which style. `width: Infinity` is for pipes: nothing is cut, nothing wraps. */
export interface Look {
  style: Style;
  width: number;
  /** The person's home folder: paths below it are shown with `~`. */
  home?: string | undefined;
}

/** The plan room's `printAction`: an action as the one line that a plan file has. */
export type PrintAction = (action: Action) => string;

/** Lines of text read badly when they are longer; columns set apart further than this no longer belong together. */
const widest = 100;

export const measure = ({ width }: Look): number => Math.max(1, Math.min(width, widest));

/** A pipe has no edge: what goes there is neither cut nor wrapped, so that it can be searched. */
export const isUnbounded = ({ width }: Look): boolean => width === Number.POSITIVE_INFINITY;

export const short = (text: string, width: number, look: Look): string =>
  isUnbounded(look) ? text : cut(text, width, look.style.glyphs.ellipsis);

/** Text that may have come from anywhere, in lines of the given width. */
export const paragraph = (text: string, width: number, look: Look): string[] =>
  isUnbounded(look) ? [visible(text)] : wrap(visible(text), Math.max(1, width));

/** A message as it was written, its own line breaks kept. */
export const message = (text: string, width: number, look: Look): string[] =>
  text.split('\n').flatMap((line) => paragraph(cleanOutput(line), width, look));

/** A line of two columns, such as a command and what it does: what goes on stands below the second. */
export function hanging(text: string, width: number, look: Look): string[] {
  const label = /^.*?\S {2,}(?=\S)/.exec(text)?.[0] ?? '';
  const room = width - displayWidth(label);
  if (label === '' || room < 24) return message(text, width, look);
  const [first = '', ...rest] = paragraph(cleanOutput(text.slice(label.length)), room, look);
  return [label + first, ...rest.map((line) => ' '.repeat(displayWidth(label)) + line)];
}

/** Between what stands left and what stands right on one line. */
export const gap = '  ';

/** Left and right on one line of exactly `width` columns; the left gives way where both do not fit. */
export function spread(left: string, right: string, width: number, look: Look): string {
  if (right === '') return short(left, width, look);
  const room = width - displayWidth(right) - gap.length;
  return room < 1 ? short(left, width, look) : padEnd(short(left, room, look), room) + gap + right;
}

export const indent = (lines: readonly string[], by: string): string[] =>
  lines.map((line) => (line === '' ? '' : by + line));

export function tildePath(path: string, { home }: Look): string {
  if (!home) return path;
  if (path === home) return '~';
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
