import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import type { NamesSource } from '../../../core/risk/index.ts';

const LARGEST = 64 * 1024 * 1024;
const MOST = 20_000;

/**
 * The names that an archive or a patch would be unpacked by, without running anything; of a folder, whether it is there. Null
 * where they cannot be known: it is not there yet, too large, packed in a way that is not read here, or damaged.
 */
export function broughtNames(source: NamesSource): readonly string[] | null {
  try {
    if (source.as === 'tree') return existsSync(source.path ?? '') ? [] : null;
    const bytes = source.text === undefined ? bytesOf(source.path ?? '') : Buffer.from(source.text);
    const names = bytes === null ? null : readers[source.as](bytes, source.strip ?? null);
    return names === null || names.length > MOST ? null : [...new Set(names)];
  } catch {
    return null;
  }
}

function bytesOf(path: string): Buffer | null {
  // unzip knows what it is called.
  const isFile = (one: string) => statSync(one, { throwIfNoEntry: false })?.isFile() === true;
  const file = [path, `${path}.zip`].find(isFile);
  const size = file === undefined ? LARGEST : statSync(file).size;
  if (file === undefined || size > LARGEST) return null;
  const bytes = Buffer.alloc(size);
  const handle = openSync(file, 'r');
  try {
    return bytes.subarray(0, readSync(handle, bytes, 0, size, 0));
  } finally {
    closeSync(handle);
  }
}

type NamesReader = (bytes: Buffer, strip: number | null) => string[] | null;

const stripped = (name: string, strip: number): string => {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  return parts.slice(strip).join('/');
};

const options = { maxOutputLength: LARGEST * 4 };

const tar: NamesReader = (given, strip) => {
  const magic = given.readUInt32BE(0);
  // Most calls bring nothing packed.
  const { gunzipSync, zstdDecompressSync } = process.getBuiltinModule('node:zlib');
  if (magic >>> 16 === 0x1f8b) return tarNames(gunzipSync(given, options), strip ?? 0);
  return tarNames(magic === 0x28b52ffd ? zstdDecompressSync(given, options) : given, strip ?? 0);
};

function tarNames(bytes: Buffer, strip: number): string[] | null {
  if (bytes.length < 512) return null;
  const names: string[] = [];
  const textAt = (from: number, length: number): string => {
    const text = bytes.toString('utf8', from, from + length);
    return text.includes('\0') ? text.slice(0, text.indexOf('\0')) : text;
  };
  // What stands in a header before the one that it is for.
  let [longName, longLink] = ['', ''];
  for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0; ) {
    if (textAt(at + 257, 5) !== 'ustar') return null;
    const size = sizeAt(bytes, at + 124);
    const [head, body] = [at, at + 512];
    at = body + Math.ceil(size / 512) * 512;
    const type = textAt(head + 156, 1);
    if (type === 'x' || type === 'g') {
      const told = bytes.toString('utf8', body, body + size);
      longName = /\d+ path=([^\n]*)\n/.exec(told)?.[1] ?? longName;
      longLink = /\d+ linkpath=([^\n]*)\n/.exec(told)?.[1] ?? longLink;
    } else if (type === 'L') longName = textAt(body, size);
    else if (type === 'K') longLink = textAt(body, size);
    else {
      const own = `${textAt(head + 345, 155)}/${textAt(head, 100)}`;
      const name = stripped(longName || own, strip);
      const link = longLink || textAt(head + 157, 100);
      names.push(name);
      // What is written through a link is written where it leads.
      if (type === '2') names.push(`${name.replace(/[^/]*$/, '')}${link}`);
      if (type === '1') names.push(stripped(link, strip));
      [longName, longLink] = ['', ''];
    }
  }
  return names;
}

/** Octal digits, or a number where its first bit is set. */
function sizeAt(bytes: Buffer, at: number): number {
  if ((bytes[at] ?? 0) & 0x80) return Number(bytes.readBigUInt64BE(at + 4));
  return Number.parseInt(bytes.toString('latin1', at, at + 12), 8) || 0;
}

/** By the list at its end, as programs that unpack it go. */
const zip: NamesReader = (bytes) => {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) return null;
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  const names: string[] = [];
  for (let i = 0; i < count; i++) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) return null;
    const [name, extra, comment] = [28, 30, 32].map((from) => bytes.readUInt16LE(at + from)) as [
      number,
      number,
      number,
    ];
    names.push(stripped(bytes.toString('utf8', at + 46, at + 46 + name), 0));
    at += 46 + name + extra + comment;
  }
  return names;
};

const named = /^(?:(?:---|\+\+\+|\*\*\*|Index:|rename to|copy to) ([^\t\n]+)|diff --git (.+))/gm;

/** Every name that it gives, and where nothing is said of folders, its end alone as well. */
const patch: NamesReader = (bytes, strip) =>
  [...bytes.toString('utf8').matchAll(named)].flatMap(([line, one, both = '']) => {
    const whole = one === undefined ? both.split(/ (?=b\/|"b\/)/) : [one];
    return whole.flatMap((given) => {
      const name = given.trim().replace(/^"|"$/g, '');
      const isBare = /^(?:rename|copy) to/.test(line);
      if (strip === null) return [name, name.replace(/^.*\//, '')];
      return [stripped(name, isBare ? Math.max(strip - 1, 0) : strip)];
    });
  });

const readers: Readonly<Record<'tar' | 'zip' | 'patch', NamesReader>> = { tar, zip, patch };
