import { z } from 'zod';
import { readIfThere, writePrivate } from './files.ts';

const TrustFile = z.array(z.string());

/** The folders whose configuration a person has said may be used. A damaged list trusts nothing. */
export function trustedFolders(path: string): string[] {
  try {
    const parsed = TrustFile.safeParse(JSON.parse(readIfThere(path) ?? '[]'));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}

export const isTrusted = (path: string, folder: string): boolean => trustedFolders(path).includes(folder);

/** Trusts exactly this folder (a real path), or takes the trust back. */
export function setTrust(path: string, folder: string, trusted: boolean): void {
  const others = trustedFolders(path).filter((known) => known !== folder);
  writePrivate(path, `${JSON.stringify(trusted ? [...others, folder].sort() : others, null, 2)}\n`);
}
