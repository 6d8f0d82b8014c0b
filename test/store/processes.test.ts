import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunEvent } from '../../src/core/contract/index.ts';
import { runKind } from '../../src/core/run/index.ts';
import { kindsOf, type Store } from '../../src/core/stream/index.ts';
import { openStore } from '../../src/world/store/index.ts';
import { startWorker } from './processes.ts';

async function freshStore(): Promise<Store<RunEvent>> {
  const dir = mkdtempSync(join(tmpdir(), 'planwright-processes-'));
  const store = await openStore<RunEvent>({
    kinds: kindsOf(runKind),
    dir,
    driver: { pid: process.pid, host: 'test', boot: 'test' },
  });
  onTestFinished(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const begin: RunEvent = { v: 1, type: 'step-offered', at: Date.now(), stepId: 'begin' };
  await store.begin('run', { kind: 'run', id: 'begin', events: [begin] });
  return store;
}

describe('several processes on one store', () => {
  it('write without a gap, without a duplicate and without starving each other, though one is killed', async () => {
    const store = await freshStore();
    const enough = join(store.where, 'enough');
    const writers = await Promise.all(
      Array.from({ length: 4 }, () => startWorker('write', store.where, 'run', enough)),
    );
    for (const writer of writers) writer.go();
    const [victim, ...others] = writers;
    await victim!.said((line) => Number(line['seq']) > 300);
    victim!.kill();
    // None of them stops before each has come along: whoever starves here waits for ever.
    const at = others.map(({ lines }) => lines.length);
    await Promise.all(others.map(({ lines, said }, n) => said(() => lines.length >= at[n]! + 200)));
    writeFileSync(enough, '');
    await Promise.all(writers.map(({ ended }) => ended));

    const events = await store.read('run', 0);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    const steps = events.map(({ event }) => (event as { stepId: string }).stepId);
    expect(new Set(steps).size).toBe(steps.length);
    // Both events of an append, side by side: none of it or all of it.
    for (let i = 1; i < steps.length; i += 2) expect(steps[i + 1]).toBe(steps[i]!.replace('/1', '/2'));
    // Whatever was acknowledged is where the acknowledgement says.
    for (const { lines } of writers) {
      for (const { id, seq } of lines) if (seq !== undefined) expect(steps[Number(seq) - 1]).toBe(`${id}/1`);
    }
    expect(await store.check()).toEqual([]);
  });

  it('see what another writes, each event by itself', async () => {
    const store = await freshStore();
    const tail = await startWorker('tail', store.where, 'run');
    tail.go();
    await tail.said(({ seq }) => seq === 1);
    for (let seq = 2; seq <= 41; seq += 1) {
      const event: RunEvent = { v: 1, type: 'step-offered', at: seq, stepId: `s${seq}` };
      await store.append('run', { id: `n${seq}`, events: [event] });
      await tail.said((line) => line['seq'] === seq);
    }
  });

  it('take over a claim at once when its owner was killed', async () => {
    const store = await freshStore();
    const owner = await startWorker('claim', store.where, 'run', '/work');
    owner.go();
    expect(await owner.said((line) => 'ok' in line)).toEqual({ ok: true, epoch: 1 });

    const early = await startWorker('claim', store.where, 'run', '/work');
    early.go();
    expect(await early.said((line) => 'ok' in line)).toMatchObject({
      ok: false,
      why: 'claimed',
      by: { pid: owner.pid },
    });
    const neighbour = await startWorker('claim', store.where, 'other', '/work/below');
    neighbour.go();
    expect(await neighbour.said((line) => 'ok' in line)).toMatchObject({
      ok: false,
      why: 'workspace-busy',
      stream: 'run',
    });

    const heir = await startWorker('claim', store.where, 'run', '/work');
    owner.kill();
    await owner.ended;
    // It asks once.
    heir.go();
    expect(await heir.said((line) => 'ok' in line)).toEqual({ ok: true, epoch: 2 });
  });

  it('make a store at once, and all of them can use it', async () => {
    const dir = join((await freshStore()).where, 'not-there-yet');
    const makers = await Promise.all(
      [1, 2, 3, 4].map((n) => startWorker('claim', dir, `run-${n}`, `/work-${n}`)),
    );
    for (const maker of makers) maker.go();
    for (const maker of makers)
      expect(await maker.said((line) => 'ok' in line)).toEqual({ ok: true, epoch: 1 });
  });

  it('claim at once: one wins', async () => {
    const store = await freshStore();
    for (let round = 0; round < 5; round++) {
      const rivals = await Promise.all(
        [1, 2].map(() => startWorker('claim', store.where, `run-${round}`, `/work-${round}`)),
      );
      for (const rival of rivals) rival.go();
      const answers = await Promise.all(rivals.map((rival) => rival.said((line) => 'ok' in line)));
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    }
  });
});
