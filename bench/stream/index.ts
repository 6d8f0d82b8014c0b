import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  defaultOptions,
  hashBy,
  hashPlan,
  type Plan,
  type RunEvent,
  type StepResult,
  type Verdict,
} from '../../src/core/contract/index.ts';
import { createRunMachine, type Performer, runKind } from '../../src/core/run/index.ts';
import { createFolds, drive, kindsOf, redeemPermit, type Store } from '../../src/core/stream/index.ts';
import { thisDriver } from '../../src/world/process/identity.ts';
import { foldVersion, openStore, systemClock } from '../../src/world/store/index.ts';
import { placeOf } from '../../src/world/workspace/index.ts';
import { openRawInserts } from '../raw-inserts.ts';
import { median, type Row } from '../row.ts';

const SIZES = [100, 1000, 10_000];
const EVENTS = 100_000;
const OPENED = 1000;
/** Nearly as many as a snapshot may be behind. */
const UNSEEN = 950;
const PAIRS = 3;

/** Steps that do nothing, every event durable; and what it costs to open a long stream. */
export async function benchStream(): Promise<Row[]> {
  hashBy((text) => hash('sha256', text)); // as every process that drives does
  const dir = mkdtempSync(join(import.meta.dirname, '.scratch-'));
  const driver = thisDriver();
  const store = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir: join(dir, 'driven'), driver });
  const raw = openRawInserts(join(dir, 'raw.db'), 'x'.repeat(600));
  try {
    // A log that grows costs more to sync: both have theirs from here on.
    raw.insert(1500);
    for (let n = 0; n < 3; n += 1) await driven(store, `warm-${n}`, 1000);
    const taken: Round[][] = [];
    for (const size of SIZES) taken.push(await rounds(store, raw, size));
    const best = taken.map((each) => Math.max(...each.map(({ step }) => step.perSecond)));
    const lengths: number[] = [];
    for (let n = 0; n < PAIRS; n += 1) lengths.push(await tenfold(store, `pair-${n}`));
    const thousand = taken[1]!;
    const of = (what: (round: Round) => number) => median(thousand.map(what));
    return [
      ...best.map(
        (value, at): Row => ({
          name: `durable no-op steps, ${SIZES[at]!.toLocaleString('en')} in the plan`,
          value,
          unit: 'steps/s',
          note: `synchronous=FULL, the best of ${taken[at]!.length}`,
        }),
      ),
      {
        name: 'rate at 10,000 against 1,000',
        value: median(lengths),
        unit: '×',
        target: '>= 0.9',
        note: `one run of 10,000 against ten of 1,000, in turns: the best of many short runs is not held against a long one; ${lengths.map((each) => each.toFixed(2)).join(', ')}`,
      },
      {
        name: 'against raw synced inserts',
        value: of(({ step, insert }) => step.perSecond / insert.perSecond),
        unit: '×',
        note: `${Math.round(of(({ insert }) => insert.perSecond))} inserts/s, taken before and after`,
      },
      { name: 'syncs of a step', value: of(({ step }) => step.syncs), unit: '', target: '<= 1.01' },
      {
        name: 'CPU of a step beyond a synced insert',
        value: of(({ step, insert }) => step.cpuUs - insert.cpuUs),
        unit: 'µs',
        target: 150,
        note: `${Math.round(of(({ step }) => step.cpuUs))} µs, of which an insert takes ${Math.round(of(({ insert }) => insert.cpuUs))}; the median of ${thousand.length}`,
      },
      ...(await opening(join(dir, 'opened'))),
    ];
  } finally {
    raw.close();
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The rate of one long run against that of short ones with as many steps, side by side: whatever else the machine does hits both. */
async function tenfold(store: Store<RunEvent>, name: string): Promise<number> {
  const short: number[] = [];
  const shortly = async (from: number, to: number) => {
    for (let n = from; n < to; n += 1) short.push((await driven(store, `${name}-${n}`, 1000)).perSecond);
  };
  await shortly(0, 5);
  const { perSecond } = await driven(store, name, 10_000);
  await shortly(5, 10);
  const mean = short.length / short.reduce((sum, rate) => sum + 1 / rate, 0);
  return perSecond / mean;
}

interface Cost {
  perSecond: number;
  cpuUs: number;
}

/** A run, and what inserts cost right before it and right after it: the machine is busy with other things, too. */
interface Round {
  step: Cost & { syncs: number };
  insert: Cost;
}

async function rounds(store: Store<RunEvent>, raw: RawInserts, size: number): Promise<Round[]> {
  const found: Round[] = [];
  for (let n = 0; n < (size > 1000 ? 3 : 7); n += 1) {
    const before = inserted(raw);
    const step = await driven(store, `${size}-${n}`, size);
    const after = inserted(raw);
    const mean = (of: (cost: Cost) => number) => (of(before) + of(after)) / 2;
    found.push({
      step,
      insert: { perSecond: mean(({ perSecond }) => perSecond), cpuUs: mean(({ cpuUs }) => cpuUs) },
    });
  }
  return found;
}

/** What the processor did for each of them, user and system, since `from`. */
function cpuOf(from: NodeJS.CpuUsage, count: number): number {
  const { user, system } = process.cpuUsage(from);
  return (user + system) / count;
}

type RawInserts = ReturnType<typeof openRawInserts>;

function inserted(raw: RawInserts): Cost {
  const count = 1000;
  const from = performance.now();
  const cpu = process.cpuUsage();
  raw.insert(count);
  return { perSecond: (count * 1000) / (performance.now() - from), cpuUs: cpuOf(cpu, count) };
}

const result: StepResult = {
  exitCode: 0,
  signal: null,
  durationMs: 0,
  expectation: null,
  stdoutTail: '',
  stderrTail: '',
  outputBytes: 0,
  outputTruncated: false,
  leftover: false,
};

const performer: Performer = {
  judge: async ({ run, step, revision, session }) => ({
    verdict: { level: 'caution', reasons: [], reversible: true, needs: [], paths: [] },
    subject: { run, stepId: step.id, revision, action: step.action, cwd: session.cwd, paths: [] },
  }),
  attempt: async ({ run, step, revision, session }, permit) => {
    const subject = { run, stepId: step.id, revision, action: step.action, cwd: session.cwd, paths: [] };
    if (!redeemPermit(permit, subject)) throw new Error('no permit');
    return result;
  },
  recover: async () => ({ finding: 'unknown', detail: '' }),
  release: async (_run, groups) => groups,
  endServices: async () => [],
  survey: async () => [],
};

const planOf = (count: number): Plan => ({
  goal: 'do nothing, often',
  shell: 'bash',
  revision: 0,
  steps: Array.from({ length: count }, (_, index) => ({
    id: `s${index + 1}`,
    title: `Nothing ${index + 1}`,
    action: { kind: 'run-command', command: 'true' },
  })),
});

async function driven(store: Store<RunEvent>, run: string, steps: number): Promise<Round['step']> {
  const plan = planOf(steps);
  const at = Date.now();
  const events: RunEvent[] = [
    {
      v: 1,
      type: 'plan-created',
      at,
      plan,
      hash: hashPlan(plan),
      place: placeOf(store.where),
      options: defaultOptions,
    },
    {
      v: 1,
      type: 'plan-decided',
      at,
      key: 'k',
      by: { person: 'ana', door: 'library' },
      revision: 0,
      decision: 'all',
    },
  ];
  await store.begin(run, { kind: 'run', id: 'create', events });
  const claimed = await store.claim(run);
  if (!claimed.ok) throw new Error('the run is claimed');
  let appends = 0;
  const from = performance.now();
  const cpu = process.cpuUsage();
  const rest = await drive(run, {
    machine: createRunMachine(run, thisDriver(), { performer }),
    journal: store,
    claim: claimed.claim,
    clock: systemClock,
    newId: () => `a${++appends}`,
  });
  const seconds = (performance.now() - from) / 1000;
  const cpuUs = cpuOf(cpu, steps);
  if (rest.state.status !== 'done') throw new Error(`the run is ${rest.state.status}`);
  await claimed.claim.release();
  return { perSecond: steps / seconds, cpuUs, syncs: appends / steps };
}

/** Opening a stream as a process does that has never seen it: the long one from a snapshot and what came after it. */
async function opening(dir: string): Promise<Row[]> {
  const store = await openStore<RunEvent>({ dir, driver: thisDriver(), kinds: kindsOf(runKind) });
  try {
    const costs: number[] = [];
    for (const count of [OPENED, EVENTS]) {
      const id = `s${count}`;
      const events = attempts(count);
      await store.begin(id, { kind: 'run', id: 'begin', events: events.slice(0, 1) });
      const append = async (from: number, to: number) => {
        for (let at = from; at < to; at += 500)
          await store.append(id, { id: `a${at}`, events: events.slice(at, Math.min(to, at + 500)) });
      };
      // The last look at it, and with it the last snapshot, was a while ago.
      const seen = Math.max(1, events.length - UNSEEN);
      await append(1, seen);
      await foldsOf(store).at(id);
      await append(seen, events.length);
      const times: number[] = [];
      for (let n = 0; n < 15; n += 1) {
        const from = performance.now();
        await foldsOf(store).at(id);
        times.push(performance.now() - from);
      }
      costs.push(median(times));
    }
    const [short, long] = costs as [number, number];
    return [
      { name: `opening a stream of ${OPENED.toLocaleString('en')} events`, value: short, unit: 'ms' },
      { name: `opening one of ${EVENTS.toLocaleString('en')}`, value: long, unit: 'ms' },
      { name: 'the long one against the short one', value: long / short, unit: '×', target: 3 },
    ];
  } finally {
    await store.close();
  }
}

const foldsOf = (store: Store<RunEvent>) =>
  createFolds({ kind: runKind, streams: store, snapshots: store.snapshots, version: foldVersion });

/** A run of 100 steps whose every step has been attempted again and again. */
function attempts(count: number): RunEvent[] {
  const plan = planOf(100);
  const subject = { run: 'r', revision: 0, action: plan.steps[0]!.action, cwd: '/', paths: [] };
  const verdict: Verdict = { level: 'caution', reasons: [], reversible: true, needs: [], paths: [] };
  const events: RunEvent[] = [
    {
      v: 1,
      type: 'plan-created',
      at: 0,
      plan,
      hash: hashPlan(plan),
      place: placeOf('/'),
      options: defaultOptions,
    },
  ];
  for (let n = 0; events.length < count; n += 1) {
    const stepId = plan.steps[n % plan.steps.length]!.id;
    const attempt = { v: 1, at: n, stepId, attemptIndex: Math.floor(n / plan.steps.length) } as const;
    const judged = { ...subject, stepId };
    events.push(
      { v: 1, at: n, type: 'step-judged', verdict, subject: judged, fingerprint: '' },
      { ...attempt, type: 'step-started', revision: 0, fingerprint: '', cwd: '/', deadline: null },
      { ...attempt, type: 'step-failed', result: { ...result, why: 'exit-code' } },
    );
  }
  return events.slice(0, count);
}
