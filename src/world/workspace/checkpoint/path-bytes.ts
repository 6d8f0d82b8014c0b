/**
 * A path is bytes on disk and a string here. Bytes that are not UTF-8 become lone surrogates (U+DC80 to U+DCFF),
 * which no decoded UTF-8 contains: every name has exactly one string, and JSON carries it unharmed.
 */

const escapeBase = 0xdc00;

/** The length of the UTF-8 character that begins with this byte; 0 where none can. */
function lengthFrom(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xc2) return 0;
  if (byte < 0xe0) return 2;
  if (byte < 0xf0) return 3;
  return byte < 0xf5 ? 4 : 0;
}

export function fromBytes(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd') || Buffer.from(text).equals(bytes)) return text;
  let result = '';
  for (let at = 0; at < bytes.length; ) {
    const piece = bytes.subarray(at, at + lengthFrom(bytes[at]!));
    const character = piece.toString('utf8');
    if (piece.length > 0 && Buffer.from(character).equals(piece)) {
      result += character;
      at += piece.length;
    } else {
      result += String.fromCharCode(escapeBase + bytes[at]!);
      at += 1;
    }
  }
  return result;
}

export function toBytes(path: string): Buffer {
  if (path.isWellFormed()) return Buffer.from(path);
  const pieces = path.split(/([\udc80-\udcff])(?<![\ud800-\udbff][\udc80-\udcff])/);
  return Buffer.concat(
    pieces.map((piece, at) =>
      at % 2 === 1 ? Buffer.from([piece.charCodeAt(0) - escapeBase]) : Buffer.from(piece),
    ),
  );
}

/** What to give to `node:fs`. */
export const onDisk = (path: string): string | Buffer => (path.isWellFormed() ? path : toBytes(path));

/** The fields of what git prints with `-z`. */
export function fieldsOf(output: Buffer): string[] {
  const fields = fromBytes(output).split('\0');
  fields.pop();
  return fields;
}

export const joinZ = (paths: Iterable<string>): Buffer => {
  let text = '';
  for (const path of paths) text += `${path}\0`;
  return toBytes(text);
};

/** The folder that holds `path`; '' is the workspace itself, which has none. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const within = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** The folders above `path`, outermost first, without the workspace itself. */
export function ancestorsOf(path: string): string[] {
  const found: string[] = [];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) found.push(path.slice(0, at));
  return found;
}

/** `.git` in any spelling: git's own, in whatever folder. Never read, never written. */
export const isGitName = (name: string): boolean => name.length === 4 && name.toLowerCase() === '.git';
export const namesGit = (path: string): boolean => path.split('/').some(isGitName);
