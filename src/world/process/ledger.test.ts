import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { noteGroup, readNotes } from './ledger.ts';

const owner = { run: 'r', step: 's' };
/** No process has such a number. */
const NOBODY = 2 ** 22 + 1;
const group = (pgid: number) => ({ pgid, startTime: `began ${pgid}`, host: 'h', boot: 'b' });

function newLedger() {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const ledger = join(folder, 'started');
  const pages = () => readdirSync(ledger).filter((name) => name.startsWith('of-'));
  const lines = () => pages().flatMap((name) => readFileSync(join(ledger, name), 'utf8').trim().split('\n'));
  return { ledger, pages, lines };
}

/** A process of its own group that stays until the test is over. */
async function staying(): Promise<number> {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  await once(child, 'spawn');
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid!;
}

test('what was noted is found by its number, by the whole of it', () => {
  const { ledger, pages } = newLedger();
  for (const pgid of [12, 123, 12]) noteGroup(ledger, group(pgid), { ...owner, step: `s${pgid}` });
  expect(pages()).toHaveLength(1);
  const notesOf = readNotes(ledger);
  expect(notesOf(123)).toEqual([{ pgid: 123, run: 'r', step: 's123', startTime: 'began 123', boot: 'b' }]);
  expect(notesOf(12)).toHaveLength(2);
  expect(notesOf(1)).toEqual([]);
  expect(readNotes(join(ledger, 'none'))(12)).toEqual([]);
});

test('a page does not grow with the steps of a run, and keeps those that live', async () => {
  const { ledger, pages, lines } = newLedger();
  const pid = await staying();
  noteGroup(ledger, group(pid), owner);
  for (let n = 0; n < 1000; n += 1) noteGroup(ledger, group(NOBODY + n), owner);
  expect(pages()).toHaveLength(1);
  expect(lines().length).toBeLessThan(300);
  expect(readNotes(ledger)(pid)).toHaveLength(1);
  expect(readNotes(ledger)(NOBODY + 999)).toHaveLength(1);
});

test('one that was removed is begun anew', () => {
  const { ledger } = newLedger();
  noteGroup(ledger, group(12), owner);
  rmSync(ledger, { recursive: true });
  noteGroup(ledger, group(13), owner);
  expect(readNotes(ledger)(13)).toHaveLength(1);
});

test('a line that somebody was killed in, or that a full disk cut off, costs no other', () => {
  const { ledger, pages } = newLedger();
  noteGroup(ledger, group(12), owner);
  appendFileSync(join(ledger, pages()[0]!), '\n{"pgid":12,"run":"r","step":"a}');
  noteGroup(ledger, group(13), owner);
  expect(readNotes(ledger)(12)).toHaveLength(1);
  expect(readNotes(ledger)(13)).toHaveLength(1);
});

test.runIf(process.platform === 'linux')(
  'nothing of it stays open, so that its disk can be taken away',
  () => {
    const { ledger, pages } = newLedger();
    for (let n = 0; n < 300; n += 1) noteGroup(ledger, group(NOBODY + n), owner);
    expect(pages()).toHaveLength(1);
    const open = readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)];
      } catch {
        return [];
      }
    });
    expect(open.filter((path) => path.startsWith(ledger))).toEqual([]);
  },
);

test('pages of those who have ended go, unless something that they started lives', async () => {
  const { ledger, pages } = newLedger();
  const pid = await staying();
  mkdirSync(ledger);
  for (let n = 0; n < 10; n += 1)
    writeFileSync(join(ledger, `of-${NOBODY + n}-1`), `${JSON.stringify({ ...group(NOBODY), ...owner })}\n`);
  writeFileSync(join(ledger, `of-${NOBODY}-2`), `${JSON.stringify({ ...group(pid), ...owner })}\n`);
  noteGroup(ledger, group(13), owner);
  expect(pages().filter((name) => !name.startsWith(`of-${process.pid}-`))).toEqual([`of-${NOBODY}-2`]);
});
