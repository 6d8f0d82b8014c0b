import { findPlaceholders, replaceAt } from '../substitute/placeholders.ts';

/** The text with a digit where a value will stand: it reads as the form that it will have. */
export const asIfFilled = (text: string): string => replaceAt(text, findPlaceholders(text), () => '1');
