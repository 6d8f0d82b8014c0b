import { agreeTo, folderFiles, obeyed, rewrite } from './agreed.ts';
import type { Places } from './places.ts';

/** A folder that a person trusts, and when they last said so; 0 in lists that were written before that was kept. */
interface TrustedFolder {
  folder: string;
  at: number;
}

function parse(text: string | null | undefined): TrustedFolder[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    const entries = Array.isArray(list) ? list.map(entryOf) : [];
    return entries.includes(null) ? [] : (entries as TrustedFolder[]);
  } catch {
    return [];
  }
}

function entryOf(value: unknown): TrustedFolder | null {
  if (typeof value === 'string') return { folder: value, at: 0 };
  const { folder, at } = (value ?? {}) as Partial<Record<keyof TrustedFolder, unknown>>;
  return typeof folder === 'string' && typeof at === 'number' ? { folder, at } : null;
}

/** The folders whose configuration a person has said may be used. A damaged list trusts nothing. */
export const trustedFolders = (places: Places): string[] => trustedIn(places).map(({ folder }) => folder);

const trustedIn = (places: Places): TrustedFolder[] => parse(obeyed(places, places.trust).agreed);

export const isTrusted = (places: Places, folder: string): boolean => trustedSince(places, folder) !== null;

/** When a person last said that they trust the folder; null where they do not. */
export const trustedSince = (places: Places, folder: string): number | null =>
  trustedIn(places).find((one) => one.folder === folder)?.at ?? null;

/**
 * Trusts exactly this folder (a real path) and its configuration as it is now, or takes the trust back. Rejects with an
 * AppError where a run started this process.
 */
export async function setTrust(places: Places, folder: string, trusted: boolean): Promise<void> {
  await rewrite(places, places.trust, (before) => {
    const others = parse(before).filter((known) => known.folder !== folder);
    const all = trusted ? [...others, { folder, at: Date.now() }] : others;
    all.sort((a, b) => (a.folder < b.folder ? -1 : 1));
    return `${JSON.stringify(all, null, 2)}\n`;
  });
  if (trusted) await agreeTo(places, folderFiles(folder));
}
