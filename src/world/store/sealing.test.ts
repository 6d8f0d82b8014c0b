import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSealing } from './sealing.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'pw-sealing-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
});
const file = () => join(dir, 'sealing.key');

describe('what is sealed', () => {
  test.each(['', 'a', 'schön\n\0', 'x'.repeat(100_000)])(
    'is opened again, by a later process too',
    (value) => {
      const sealed = createSealing(dir).seal(value);
      expect(createSealing(dir).open(sealed)).toBe(value);
    },
  );

  test('looks different each time, and a name the same', () => {
    const sealing = createSealing(dir);
    expect(sealing.seal('value')).not.toBe(sealing.seal('value'));
    expect(sealing.nameOf('value')).toBe(createSealing(dir).nameOf('value'));
    expect(sealing.nameOf('value')).not.toBe(sealing.nameOf('value '));
  });

  test('tells nothing: not the value, and with another key not even a name', () => {
    const sealing = createSealing(dir);
    const told = sealing.seal('hunter2hunter2') + sealing.nameOf('hunter2hunter2');
    expect(Buffer.from(told, 'base64url').toString('latin1') + told).not.toContain('hunter2');
    const other = createSealing(join(dir, 'other'));
    expect(other.nameOf('hunter2hunter2')).not.toBe(sealing.nameOf('hunter2hunter2'));
  });

  test('by nobody or by others is not opened, nor what was changed', () => {
    const sealing = createSealing(dir);
    const sealed = sealing.seal('value');
    const turned = Buffer.from(sealed, 'base64url');
    turned[turned.length - 1]! ^= 1;
    createSealing(join(dir, 'other')).nameOf('makes its key');
    expect(createSealing(join(dir, 'other')).open(sealed)).toBeNull();
    expect(sealing.open(turned.toString('base64url'))).toBeNull();
    for (const text of ['', 'nonsense', `${sealed}AAAA`]) expect(sealing.open(text)).toBeNull();
  });
});

describe('the key', () => {
  test('is only its owner’s, and leaves no draft behind', () => {
    createSealing(dir).nameOf('value');
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir)).toEqual(['sealing.key']);
  });

  test('is not made by looking: where it is missing, that is said', () => {
    const sealed = createSealing(dir).seal('value');
    rmSync(file());
    const late = createSealing(dir);
    expect(() => late.open(sealed)).toThrow(
      expect.objectContaining({ code: 'store-key', message: expect.stringContaining('backup') }),
    );
    expect(readdirSync(dir)).toEqual([]);
  });

  test.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, 40)],
    ['emptied', () => Buffer.alloc(0)],
    [
      'with a bit turned',
      (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 3 ? byte ^ 1 : byte))),
    ],
  ])('%s is damaged: nothing is sealed or opened with it, and it is left as it is', (_, damage) => {
    const sealed = createSealing(dir).seal('value');
    writeFileSync(file(), damage(readFileSync(file())));
    const before = readFileSync(file());
    const sealing = createSealing(dir);
    const damaged = expect.objectContaining({
      code: 'store-key',
      message: expect.stringContaining('damaged'),
    });
    for (const use of [sealing.seal, sealing.nameOf, () => sealing.open(sealed)])
      expect(() => use('value')).toThrow(damaged);
    expect(readFileSync(file())).toEqual(before);
  });

  test('is one, however many processes begin at once', () => {
    // Each is loaded and waits for the others: what is left is to look for the key, and to make it.
    const script = `
      import { readdirSync, writeFileSync } from 'node:fs';
      import { createSealing } from ${JSON.stringify(new URL('./sealing.ts', import.meta.url).pathname)};
      const [dir, gate] = process.argv.slice(1);
      writeFileSync(gate + '/' + process.pid, '');
      while (readdirSync(gate).length < 6) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      console.log(createSealing(dir).nameOf('value'));`;
    const gate = mkdtempSync(join(tmpdir(), 'pw-sealing-gate-'));
    onTestFinished(() => rmSync(gate, { recursive: true, force: true }));
    const args = ['--input-type=module', '-e', script, dir, gate];
    const start = 'for n in 1 2 3 4 5 6; do "$0" "$@" & done; wait';
    const { stdout, stderr } = spawnSync('bash', ['-c', start, process.execPath, ...args], {
      encoding: 'utf8',
    });
    const names = stdout.trim().split('\n');
    expect([names.length, new Set(names).size], stderr).toEqual([6, 1]);
    expect(names[0]).toBe(createSealing(dir).nameOf('value'));
  });
});
