import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** A pack of git and the index that names what is in it, as they are on the disk. */
export interface SmallPack {
  name: string;
  pack: Buffer;
  index: Buffer;
}

const TYPES = { commit: 1, tree: 2, blob: 3 } as const;

interface Packed {
  oid: string;
  type: keyof typeof TYPES;
  content: Buffer;
}

const sha1 = (bytes: Buffer): Buffer => createHash('sha1').update(bytes).digest();

const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
};

/** The type and the length: four bits of it beside the type, then seven a byte, the lowest first. */
function entryHead({ type, content }: Packed): Buffer {
  const bytes: number[] = [];
  let byte = (TYPES[type] << 4) | (content.length & 15);
  for (let left = content.length >>> 4; left > 0; left >>>= 7) {
    bytes.push(byte | 128);
    byte = left & 127;
  }
  return Buffer.from([...bytes, byte]);
}

/** Objects each whole, none as what it differs from another by: for a few of them, none of which is large. Each once. */
export function smallPack(objects: readonly Packed[]): SmallPack {
  const pieces = [Buffer.from('PACK'), numbers(2, objects.length)];
  let at = 12;
  const rows = objects.map((object) => {
    const piece = Buffer.concat([entryHead(object), deflateSync(object.content, { level: 1 })]);
    const row = { oid: object.oid, at, sum: crc32(piece) };
    pieces.push(piece);
    at += piece.length;
    return row;
  });
  const body = Buffer.concat(pieces);
  const checksum = sha1(body);
  const sorted = rows.toSorted((a, b) => (a.oid < b.oid ? -1 : 1));
  const first = sorted.map(({ oid }) => Number.parseInt(oid.slice(0, 2), 16));
  const index = Buffer.concat([
    Buffer.from('\xfftOc', 'latin1'),
    numbers(2),
    numbers(...Array.from({ length: 256 }, (_, most) => first.filter((byte) => byte <= most).length)),
    ...sorted.map(({ oid }) => Buffer.from(oid, 'hex')),
    numbers(...sorted.map(({ sum }) => sum)),
    numbers(...sorted.map((row) => row.at)),
    checksum,
  ]);
  return {
    name: `pack-${checksum.toString('hex')}`,
    pack: Buffer.concat([body, checksum]),
    index: Buffer.concat([index, sha1(index)]),
  };
}
