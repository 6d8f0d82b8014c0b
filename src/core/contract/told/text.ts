/** Small things that every sentence needs. */

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** `1 step`, `12,000 steps`. */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${grouped(n)} ${n === 1 ? one : many}`;

const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** The first few by name, of the others how many there are. */
export function listed(names: readonly string[], few: number): string {
  const more = names.length - few;
  return `${names.slice(0, few).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `port 3000`, `ports 80, 443`. */
export const portWords = (ports: readonly number[]): string =>
  `${ports.length === 1 ? 'port' : 'ports'} ${ports.join(', ')}`;
