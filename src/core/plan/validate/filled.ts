import { findPlaceholders } from '../substitute/placeholders.ts';

/** The text with a digit where a value will stand: it reads as the form that it will have. */
export function asIfFilled(text: string): string {
  let filled = '';
  let from = 0;
  for (const { start, end } of findPlaceholders(text)) {
    filled += `${text.slice(from, start)}1`;
    from = end;
  }
  return filled + text.slice(from);
}
