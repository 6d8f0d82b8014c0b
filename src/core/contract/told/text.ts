/** Small things that every sentence needs. */

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** `1 step`, `12,000 steps`. */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${grouped(n)} ${n === 1 ? one : many}`;

/** `12,000`. */
export const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** The first few by name, of the others how many there are. */
export function listed(names: readonly string[], few: number): string {
  const more = names.length - few;
  return `${names.slice(0, few).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `port 3000`, `ports 80, 443`. */
export const portWords = (ports: readonly number[]): string =>
  `${ports.length === 1 ? 'port' : 'ports'} ${ports.join(', ')}`;

/** `CI=1 NAME="two words"`. */
export const envWords = (env: Readonly<Record<string, string>>): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${/^[\w@%+=:,./{}-]+$/.test(value) ? value : JSON.stringify(value)}`)
    .join(' ');

/** `812 bytes`, `1.4 MB`. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
