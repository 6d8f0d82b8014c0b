import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Claim, ClaimResult } from '../../../core/stream/index.ts';
import { here } from '../conformance/world.ts';
import {
  begin,
  driver,
  fakeClock,
  fakeLiveness,
  openTestStore,
  type ToyStore,
  tempDir,
} from '../test-support.ts';

const ttlMs = 30_000;

async function world() {
  const dir = tempDir();
  const clock = fakeClock();
  const liveness = fakeLiveness();
  const open = (
    pid: number,
    facts: { host?: string; boot?: string; space?: string; lockTimeoutMs?: number } = {},
  ) => {
    const { space = 'one', lockTimeoutMs = 20, ...place } = facts;
    return openTestStore({
      dir,
      clock,
      liveness: { ...liveness, space },
      ttlMs,
      driver: { ...driver(pid), ...place },
      lockTimeoutMs,
    });
  };
  const first = await open(9);
  for (const stream of ['run', 'other']) await begin(first, stream);
  return { dir, clock, liveness, open };
}
const claimOf = (result: ClaimResult): Claim => {
  if (!result.ok) throw new Error(result.why);
  return result.claim;
};
const isFree = async (store: ToyStore) => (await store.claim('run')).ok;
const lost = (claim: Claim) =>
  new Promise<void>((resolve) => {
    if (claim.lost.aborted) resolve();
    else claim.lost.addEventListener('abort', () => resolve());
  });

describe('a claim', () => {
  it('waits for no disk: it is nobody’s after a power failure, and what its driver writes is synced with all before', async () => {
    const { open } = await world();
    const store = await open(1);
    const said = vi.spyOn(DatabaseSync.prototype, 'exec');
    onTestFinished(() => said.mockRestore());
    const unsynced = () => said.mock.calls.filter(([sql]) => sql.endsWith('synchronous = NORMAL')).length;
    const claim = claimOf(await store.claim('run'));
    await claim.hold({ host: 'h', path: '/w' });
    await claim.release();
    expect(unsynced()).toBe(3);
    await store.append('run', { id: 'a', events: [] });
    expect(unsynced()).toBe(3);
  });

  it('is not taken while its owner lives and beats, however long', async () => {
    const { open, clock } = await world();
    const [owner, other] = [await open(1), await open(2)];
    const claim = claimOf(await owner.claim('run'));
    await clock.advance(10 * ttlMs);
    expect(await isFree(other)).toBe(false);
    expect(claim.lost.aborted).toBe(false);
  });

  it('is taken at once from a pid that is gone, or that belongs to a later process', async () => {
    const { open, liveness } = await world();
    claimOf(await (await open(1)).claim('run'));
    liveness.dead.add(1);
    claimOf(await (await open(2)).claim('run'));
    liveness.starts.set(2, 'another start');
    expect(await isFree(await open(3))).toBe(true);
  });

  it.each([
    ['on another host', { host: 'there' }],
    ['of another boot', { boot: 'boot-2' }],
    ['in another pid namespace', { space: 'two' }],
  ])('of an owner %s is taken only when its heartbeat has expired', async (_, facts) => {
    const { open, liveness, clock, dir } = await world();
    claimOf(await (await open(1, facts)).claim('run'));
    const raw = new DatabaseSync(`${dir}/planwright.db`);
    raw.exec('CREATE TRIGGER silent BEFORE UPDATE ON processes BEGIN SELECT RAISE(IGNORE); END');
    raw.close();
    liveness.dead.add(1);
    const other = await open(2);
    await clock.advance(ttlMs - 1);
    expect(await isFree(other)).toBe(false);
    await clock.advance(1);
    expect(await isFree(other)).toBe(true);
  });

  it('is lost the moment another driver takes it', async () => {
    const { open, liveness } = await world();
    const claim = claimOf(await (await open(1)).claim('run'));
    liveness.dead.add(1);
    claimOf(await (await open(2)).claim('run'));
    await lost(claim);
  });

  it('is lost when another run takes its workspace', async () => {
    const { open, liveness } = await world();
    const claim = claimOf(await (await open(1)).claim('run'));
    await claim.hold(here('/a'));
    liveness.dead.add(1);
    await claimOf(await (await open(2)).claim('other')).hold(here('/a/b'));
    await lost(claim);
  });

  it('is given up when it could not be renewed for half its time-to-live, before anybody may take it', async () => {
    const { open, clock, dir } = await world();
    const [owner, other] = [await open(1), await open(2, { host: 'there' })];
    const claim = claimOf(await owner.claim('run'));
    const raw = new DatabaseSync(`${dir}/planwright.db`);
    raw.exec('BEGIN IMMEDIATE');
    await clock.advance(ttlMs / 2 - 1);
    expect(claim.lost.aborted).toBe(false);
    await clock.advance(1);
    expect(claim.lost.aborted).toBe(true);
    raw.exec('ROLLBACK');
    raw.close();
    expect(await isFree(other)).toBe(false);
    await claim.release();
    expect(await isFree(other)).toBe(true);
  });

  it('whose release could not be written is released at the next beat', async () => {
    const { open, clock, dir } = await world();
    const [owner, other] = [await open(1), await open(2)];
    const claim = claimOf(await owner.claim('run'));
    const raw = new DatabaseSync(`${dir}/planwright.db`);
    raw.exec('BEGIN IMMEDIATE');
    await claim.release();
    raw.exec('ROLLBACK');
    raw.close();
    expect(await isFree(other)).toBe(false);
    await clock.advance(ttlMs / 6);
    expect(await isFree(other)).toBe(true);
  });

  it('is given back when its store closes', async () => {
    const { open } = await world();
    const owner = await open(1);
    const claim = claimOf(await owner.claim('run'));
    await owner.close();
    expect(claim.lost.aborted).toBe(true);
    claimOf(await (await open(2)).claim('run'));
  });

  it('does not trust a heartbeat from the future', async () => {
    const { open, dir } = await world();
    claimOf(await (await open(1, { host: 'there' })).claim('run'));
    const raw = new DatabaseSync(`${dir}/planwright.db`);
    raw.exec('UPDATE processes SET beat_at = beat_at + 86400000');
    raw.close();
    expect(await isFree(await open(2))).toBe(true);
  });
});
