import { readFileSync } from 'node:fs';

/** Of this package. */
export function versionOf(): string {
  const manifest = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
