import { sep } from 'node:path';

const withSeparator = (path: string): string => (path.endsWith(sep) ? path : path + sep);

/** Whether two real paths are the same folder, or one lies within the other. */
export function overlaps(a: string, b: string): boolean {
  const [one, two] = [withSeparator(a), withSeparator(b)];
  return one.startsWith(two) || two.startsWith(one);
}
