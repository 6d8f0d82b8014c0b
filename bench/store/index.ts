import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '../../src/core/contract/index.ts';
import { runKind } from '../../src/core/run/index.ts';
import { kindsOf, type Store } from '../../src/core/stream/index.ts';
import { openStore } from '../../src/world/store/index.ts';
import { openRawInserts } from '../raw-inserts.ts';
import type { Row } from '../row.ts';

const driver = { pid: process.pid, host: 'bench', boot: 'bench' };
const at = Date.now();
const created = {
  v: 1,
  type: 'plan-created',
  at,
  plan: { revision: 1, goal: 'measure', mode: 'planner', shell: 'bash', steps: [] },
  hash: '0'.repeat(64),
  place: { host: 'bench', boot: 'bench', workspace: '/workspace' },
  options: { mode: 'planner' },
} as unknown as RunEvent;
/** An outcome and the next intent: what a step costs in the journal. */
const outcomeAndIntent = (n: number): RunEvent[] => [
  {
    v: 1,
    type: 'step-completed',
    at,
    stepId: `s${n}`,
    attemptIndex: 0,
    by: 'driver',
    result: {
      exitCode: 0,
      signal: null,
      durationMs: 12,
      expectation: null,
      stdoutTail: '',
      stderrTail: '',
      outputBytes: 0,
      outputTruncated: false,
      leftover: false,
    },
  },
  {
    v: 1,
    type: 'step-started',
    at,
    stepId: `s${n + 1}`,
    attemptIndex: 0,
    revision: 1,
    fingerprint: '0'.repeat(64),
    cwd: '/workspace',
    deadline: null,
  },
];

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * Every figure from one run on one disk. Raw inserts and appends take turns, so that a disk that is busy with
 * something else is busy for both.
 */
export async function benchStore(parent: string = tmpdir()): Promise<Row[]> {
  const dir = mkdtempSync(join(parent, 'planwright-bench-'));
  try {
    return [...(await benchAppends(dir)), ...(await benchReads(dir))];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function benchAppends(dir: string): Promise<Row[]> {
  const raw = openRawInserts(join(dir, 'raw.db'), JSON.stringify(outcomeAndIntent(0)));
  const store = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir: join(dir, 'appends'), driver });
  await store.begin('run', { kind: 'run', id: 'begin', events: [created] });
  const claimed = await store.claim('run');
  const epoch = claimed.ok ? claimed.claim.epoch : 0;

  let seq = 1;
  const appends = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await store.append('run', {
        id: `append-${seq}`,
        events: outcomeAndIntent(seq),
        expectedSeq: seq,
        epoch,
      });
      seq += 2;
    }
  };
  const [rounds, perRound] = [60, 50];
  raw.insert(1000);
  await appends(1000);
  const ratios: number[] = [];
  let [rawMs, ourMs] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const theirs = await timed(() => raw.insert(perRound));
    const ours = await timed(() => appends(perRound));
    ratios.push(theirs / ours);
    rawMs += theirs;
    ourMs += ours;
  }
  const together = await benchTogether(store);
  await store.close();
  raw.close();
  const perSecond = (ms: number) => Math.round((rounds * perRound * 1000) / ms);
  return [
    {
      name: 'raw synced inserts, one row each (WAL, synchronous=FULL)',
      value: perSecond(rawMs),
      unit: '1/s',
    },
    {
      name: 'appends of 2 events, one after the other (synchronous=FULL)',
      value: perSecond(ourMs),
      unit: '1/s',
    },
    {
      name: 'appends against raw inserts (median of rounds)',
      value: 1 / ratios.sort((a, b) => a - b)[rounds / 2]!,
      unit: '× as long',
      target: 1.11,
    },
    together,
  ];
}

/** Many runs of one process at the same time. */
async function benchTogether(store: Store<RunEvent>): Promise<Row> {
  const [runs, each] = [16, 100];
  const ms = await timed(() =>
    Promise.all(
      Array.from({ length: runs }, async (_, run) => {
        const stream = `together-${run}`;
        await store.begin(stream, { kind: 'run', id: 'begin', events: [created] });
        for (let n = 0; n < each; n++) {
          await store.append(stream, {
            id: `append-${n}`,
            events: outcomeAndIntent(n),
            expectedSeq: 1 + 2 * n,
          });
        }
      }),
    ),
  );
  const name = `appends of 2 events, ${runs} runs at the same time (synchronous=FULL)`;
  return { name, value: Math.round((runs * each * 1000) / ms), unit: '1/s' };
}

/** A run of so many events in appends of up to 1,000. */
async function fillRun(store: Store<RunEvent>, stream: string, events: number): Promise<void> {
  await store.begin(stream, { kind: 'run', id: 'begin', events: [created] });
  for (let seq = 1; seq < events; ) {
    const count = Math.min(1000, events - seq);
    const batch = Array.from({ length: Math.ceil(count / 2) }, (_, i) => outcomeAndIntent(seq + i)).flat();
    await store.append(stream, { id: `fill-${seq}`, events: batch.slice(0, count), expectedSeq: seq });
    seq += count;
  }
}

async function benchReads(dir: string): Promise<Row[]> {
  const large = join(dir, 'large');
  const loader = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir: large, driver });
  await fillRun(loader, 'long', 100_000);
  for (let run = 0; run < 900; run++) await fillRun(loader, `run-${run}`, 1000);
  await loader.close();

  const reader = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir: large, driver });
  await reader.read('run-0', 0);
  const readMs = await timed(() => reader.read('long', 0));
  await reader.close();

  const openMs: number[] = [];
  for (let n = 0; n < 5; n++) {
    const ms = await timed(async () => {
      const store = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir: large, driver });
      await store.row(`run-${n * 100}`);
      await store.read(`run-${n * 100}`, 0);
      await store.close();
    });
    openMs.push(ms);
  }
  return [
    { name: 'read and parse 100,000 events of one run', value: Math.round(readMs), unit: 'ms' },
    {
      name: 'open a store of 1,000,000 events and read one run of 1,000 (slowest of 5)',
      value: Math.round(Math.max(...openMs)),
      unit: 'ms',
      target: 100,
    },
  ];
}

if (import.meta.main) console.table(await benchStore());
