import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  defaultOptions,
  fold,
  hashPlan,
  type Plan,
  type RunEvent,
  type StepResult,
  type StoredEvent,
  type Verdict,
} from '../../src/core/contract/index.ts';
import { createRunMachine, type Performer, runKind } from '../../src/core/run/index.ts';
import { drive, kindsOf, redeemPermit } from '../../src/core/stream/index.ts';
import { thisDriver } from '../../src/world/process/identity.ts';
import { openStore, systemClock } from '../../src/world/store/index.ts';
import { placeOf } from '../../src/world/workspace/index.ts';
import { openRawInserts } from '../raw-inserts.ts';
import type { Row } from '../row.ts';

const STEPS = 3000;
const EVENTS = 100_000;

/** Steps that do nothing, every event durable; and the fold of a long journal. */
export async function benchEngine(): Promise<Row[]> {
  const dir = mkdtempSync(join(import.meta.dirname, '.scratch-'));
  try {
    const raw = openRawInserts(join(dir, 'raw.db'), 'x'.repeat(600));
    const before = insertsPerSecond(raw);
    const steps = await stepsPerSecond(join(dir, 'store'));
    const inserts = (before + insertsPerSecond(raw)) / 2;
    raw.close();
    return [
      { name: 'durable no-op steps', value: steps, unit: 'steps/s', target: 1900, note: 'synchronous=FULL' },
      {
        name: 'against raw synced inserts',
        value: steps / inserts,
        unit: '×',
        note: `${Math.round(inserts)} inserts/s, taken before and after`,
      },
      { name: `fold of ${EVENTS.toLocaleString('en')} events`, value: foldSeconds(), unit: 's', target: 1 },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function insertsPerSecond(raw: ReturnType<typeof openRawInserts>): number {
  const from = performance.now();
  raw.insert(STEPS);
  return (STEPS * 1000) / (performance.now() - from);
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

async function stepsPerSecond(dir: string): Promise<number> {
  const driver = thisDriver();
  const store = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir, driver });
  const plan = planOf(STEPS);
  const at = Date.now();
  const events: RunEvent[] = [
    {
      v: 1,
      type: 'plan-created',
      at,
      plan,
      hash: hashPlan(plan),
      place: placeOf(dir),
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
  await store.begin('bench', { kind: 'run', id: 'create', events });
  const claimed = await store.claim('bench');
  if (!claimed.ok) throw new Error('the run is claimed');
  let appends = 0;
  const from = performance.now();
  const rest = await drive('bench', {
    machine: createRunMachine('bench', driver, { performer }),
    journal: store,
    claim: claimed.claim,
    clock: systemClock,
    newId: () => `a${++appends}`,
  });
  const seconds = (performance.now() - from) / 1000;
  if (rest.state.status !== 'done') throw new Error(`the run is ${rest.state.status}`);
  await claimed.claim.release();
  await store.close();
  return STEPS / seconds;
}

/** A run of 1,000 steps whose every step has been attempted again and again. */
function foldSeconds(): number {
  const plan = planOf(1000);
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
  for (let n = 0; events.length < EVENTS; n += 1) {
    const stepId = plan.steps[n % plan.steps.length]!.id;
    const attempt = { v: 1, at: n, stepId, attemptIndex: Math.floor(n / plan.steps.length) } as const;
    const judged = { ...subject, stepId };
    events.push(
      { v: 1, at: n, type: 'step-judged', verdict, subject: judged, fingerprint: '' },
      { ...attempt, type: 'step-started', revision: 0, fingerprint: '', cwd: '/', deadline: null },
      { ...attempt, type: 'step-failed', result: { ...result, why: 'exit-code' } },
    );
  }
  const stored: StoredEvent[] = events.map((event, index) => ({ stream: 'r', seq: index + 1, event }));
  const from = performance.now();
  fold(stored);
  return (performance.now() - from) / 1000;
}
