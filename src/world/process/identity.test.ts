import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { isSameHost } from '../../core/contract/index.ts';
import { bootId, hostHere, isProcessAlive, nameHost, processStartTime, thisDriver } from './identity.ts';
import { parsePs, parseStat } from './process-table.ts';

test('this process is alive; with another start time or boot it is somebody else', () => {
  const startTime = processStartTime(process.pid)!;
  const me = { pid: process.pid, startTime, boot: bootId() };
  expect(isProcessAlive(me)).toBe(true);
  expect(isProcessAlive({ ...me, startTime: `${startTime}1` })).toBe(false);
  expect(isProcessAlive({ ...me, boot: 'another' })).toBe(false);
});

test('a process that has ended is not alive', async () => {
  const child = spawn('sleep', ['60']);
  const who = { pid: child.pid!, startTime: processStartTime(child.pid!)!, boot: bootId() };
  expect(isProcessAlive(who)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isProcessAlive(who)).toBe(false);
  expect(processStartTime(who.pid)).toBeNull();
});

test('the driver is named', () => {
  expect(thisDriver()).toEqual({ pid: process.pid, host: hostHere(), boot: bootId() });
  expect(hostHere().startsWith(hostname())).toBe(true);
});

test('a machine is told from others of the same name, and stays itself under another; its id is not told', () => {
  const [one, other] = ['1'.repeat(32), '2'.repeat(32)];
  expect(isSameHost(nameHost('box', one), nameHost('box', other))).toBe(false);
  expect(isSameHost(nameHost('box', one), nameHost('renamed', one))).toBe(true);
  expect(isSameHost(nameHost('box', null), nameHost('tub', null))).toBe(false);
  expect(nameHost('box', one)).toMatch(/^box~[0-9a-f]{16}$/);
  // Journals hold it: whatever makes it, it stays the same.
  expect(nameHost('box', one)).toBe(
    `box~${createHmac('sha256', one).update('planwright').digest('hex').slice(0, 16)}`,
  );
  expect(nameHost('box', one)).not.toContain('1'.repeat(8));
});

test('a name with spaces and parentheses does not shift the fields of stat', () => {
  const fields = 'Z 10 20 30 0 -1 1 2 3 4 5 6 7 8 9 20 0 1 0 4242 9 9 9';
  expect(parseStat(`17 (a) b (c)) ${fields}`)).toEqual({
    pid: 17,
    ppid: 10,
    pgid: 20,
    sid: 30,
    startTime: '4242',
    zombie: true,
  });
});

test('ps is read where there is no /proc', () => {
  const text =
    '    1     0     1 Ss   Mon Nov  2 10:00:00 2026    \n  402     1   402 Z    Tue Nov  3 11:22:33 2026\n';
  expect(parsePs(text)).toEqual([
    { pid: 1, ppid: 0, pgid: 1, sid: 1, startTime: 'Mon Nov  2 10:00:00 2026', zombie: false },
    { pid: 402, ppid: 1, pgid: 402, sid: 402, startTime: 'Tue Nov  3 11:22:33 2026', zombie: true },
  ]);
});
