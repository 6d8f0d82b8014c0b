import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isFree, isSurelyDead, overlaps, type ProcessFacts } from './claim-rules.ts';
import { systemClock } from './clock.ts';
import { systemLiveness } from './liveness.ts';

const liveness = systemLiveness();
const self: ProcessFacts = {
  pid: process.pid,
  pidStart: liveness.startTime(process.pid),
  pidSpace: liveness.space,
  host: 'here',
  boot: 'boot',
};

describe('what the system says about processes', () => {
  it('knows a living process by its start', () => {
    expect(self.pidStart).toMatch(/\S/);
    expect(liveness.startTime(process.pid)).toBe(self.pidStart);
    expect(isSurelyDead(self, self, liveness)).toBe(false);
  });

  it('knows that a killed one is dead, before and after its parent has taken notice', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const owner = { ...self, pid: child.pid!, pidStart: liveness.startTime(child.pid!) };
    expect(isSurelyDead(owner, self, liveness)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isSurelyDead(owner, self, liveness)).toBe(true);
  });

  it('takes a reused pid for another process', () => {
    expect(isSurelyDead({ ...self, pidStart: 'long ago' }, self, liveness)).toBe(true);
    expect(isSurelyDead({ ...self, pidStart: null }, self, liveness)).toBe(false);
    const unsure = { ...self, pidStart: null };
    expect(isSurelyDead({ ...self, pidStart: 'long ago' }, unsure, liveness)).toBe(false);
  });

  it.each([{ host: 'there' }, { boot: 'earlier' }, { pidSpace: 'container' }])(
    'says nothing about a process elsewhere: %o',
    (elsewhere) => {
      expect(isSurelyDead({ ...self, pidStart: 'long ago', ...elsewhere }, self, liveness)).toBe(false);
    },
  );
});

describe('what somebody holds is free', () => {
  const owner = { ...self, host: 'there', beatAt: 1000, ttl: 100 };
  it.each([
    ['nobody', undefined, 1000, true],
    ['somebody heard of just now', owner, 1099, false],
    ['somebody silent for long', owner, 1100, true],
    ['somebody from the future: the clock was set back', owner, 900, true],
    ['a dead neighbour', { ...owner, host: 'here', pidStart: 'long ago' }, 1000, true],
  ])('when it is held by %s: %#', (_, by, now, expected) => {
    expect(isFree(by, now, self, liveness)).toBe(expected);
  });
});

describe('the system clock', () => {
  it('wakes at the time given, at once for the past, and when told', async () => {
    const abort = new AbortController();
    await systemClock.sleepUntil(Date.now() - 1, abort.signal);
    const began = Date.now();
    await systemClock.sleepUntil(began + 5, abort.signal);
    expect(Date.now()).toBeGreaterThanOrEqual(began + 5);
    const far = systemClock.sleepUntil(Number.MAX_SAFE_INTEGER, abort.signal);
    abort.abort();
    await far;
  });
});

describe('workspaces', () => {
  it.each([
    ['/a/b', '/a/b', true],
    ['/a/b', '/a/b/', true],
    ['/a', '/a/b/c', true],
    ['/', '/a', true],
    ['/a/b', '/a/bc', false],
    ['/a/b', '/a/c', false],
    ['/ab', '/a', false],
  ])('%s and %s overlap: %s', (a, b, expected) => {
    expect(overlaps({ path: a }, { path: b })).toBe(expected);
    expect(overlaps({ path: b }, { path: a })).toBe(expected);
  });
});
