import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { HeldText } from '../../../core/risk/index.ts';

const LARGEST = 256 * 1024;
const MOST = 40;

export interface ScriptsOptions {
  home: string;
  /** Files that have not changed since are a person's, and are not looked into; null: all are looked into. */
  ownBefore: number | null;
}

/** A program that was compiled: nobody here can read it. A script cannot begin so. */
const compiled = /^(?:\x7fELF|\xcf\xfa\xed\xfe|\xca\xfe\xba\xbe|MZ[^\n]{0,78}\0)/;

const unread: HeldText = { text: '', isWhole: false };

/**
 * Reads the scripts that a command would run, and those that these would. Null of what is not there, is the person's or was
 * compiled; what is no plain file, or comes after so many others, holds something that was not looked at.
 */
export function createScriptReader({ home, ownBefore }: ScriptsOptions): (path: string) => HeldText | null {
  const known = new Map<string, HeldText | null>();
  const read = (path: string): HeldText | null => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) return null;
    if (!stats.isFile()) return unread;
    // When a file changed cannot be set by whoever changed it.
    if (ownBefore !== null && stats.ctimeMs < ownBefore) return null;
    const bytes = headOf(path);
    if (compiled.test(bytes.toString('latin1', 0, 80))) return null;
    // A shell leaves zeros out.
    const text = bytes.toString('utf8').replaceAll('\0', '');
    return { text, isWhole: bytes.length === stats.size };
  };
  return (named) => {
    const path = named.replace(/^~(?=\/)/, home);
    if (!path.startsWith('/')) return null;
    const before = known.get(path);
    if (before !== undefined) return before;
    if (known.size >= MOST) return unread;
    let held: HeldText | null = null;
    try {
      held = read(path);
    } catch {
      // What nobody here may read, nobody here can run as a script.
    }
    known.set(path, held);
    return held;
  };
}

function headOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(LARGEST);
    return head.subarray(0, readSync(file, head, 0, LARGEST, 0));
  } finally {
    closeSync(file);
  }
}
