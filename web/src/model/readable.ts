/** Colours of programs, drawn so that they can be read on either theme: at least 4.5 to 1. */

const least = 4.5;
/** What a line that is chosen is drawn on, in each theme: others have more to stand out against. */
const grounds = { light: '#eeeeee', dark: '#232322' } as const;

/** `#rrggbb` as it is drawn on each theme: moved towards black or white as far as it has to be. */
export function readable(colour: string): { light: string; dark: string } {
  return { light: towards(colour, '#000000', grounds.light), dark: towards(colour, '#ffffff', grounds.dark) };
}

/** Black or white, whichever can be read better on this colour. */
export const textOn = (colour: string): string =>
  contrast('#000000', colour) >= contrast('#ffffff', colour) ? '#000000' : '#ffffff';

function towards(colour: string, end: string, ground: string): string {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(colour, end, share);
    if (contrast(mixed, ground) >= least) return mixed;
  }
  return end;
}

const parts = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
const mix = (from: string, to: string, share: number): string => {
  const other = parts(to);
  const mixed = parts(from).map((part, at) => Math.round(part + (other[at]! - part) * share));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
};

function luminance(colour: string): number {
  const [r, g, b] = parts(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** As WCAG counts it. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
