import { z } from 'zod';
import { agreeTo, folderFiles, obeyed, rewrite } from './agreed.ts';
import type { Places } from './places.ts';

const TrustFile = z.array(z.string());

function parse(text: string | null | undefined): string[] {
  try {
    const parsed = TrustFile.safeParse(JSON.parse(text ?? '[]'));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}

/** The folders whose configuration a person has said may be used. A damaged list trusts nothing. */
export const trustedFolders = (places: Places): string[] => parse(obeyed(places, places.trust).agreed);

export const isTrusted = (places: Places, folder: string): boolean => trustedFolders(places).includes(folder);

/**
 * Trusts exactly this folder (a real path) and its configuration as it is now, or takes the trust back. Rejects with an
 * AppError where a run started this process.
 */
export async function setTrust(places: Places, folder: string, trusted: boolean): Promise<void> {
  await rewrite(places, places.trust, (before) => {
    const others = parse(before).filter((known) => known !== folder);
    return `${JSON.stringify(trusted ? [...others, folder].sort() : others, null, 2)}\n`;
  });
  if (trusted) await agreeTo(places, folderFiles(folder));
}
