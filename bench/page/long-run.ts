import { defaultOptions, hashPlan, type Plan, type RunEvent } from '../../src/core/contract/index.ts';
import type { Store } from '../../src/core/stream/index.ts';

/** A plan of so many steps that all print something. */
export const longPlan = (length: number): Plan => ({
  goal: `${length} steps`,
  shell: 'bash',
  revision: 0,
  steps: Array.from({ length }, (_, n) => ({
    id: `s${n + 1}`,
    title: `Step number ${n + 1}`,
    action: { kind: 'run-command', command: `echo ${hashLike(n)}` },
  })),
});

export const result = {
  exitCode: 0,
  signal: null,
  durationMs: 5,
  expectation: null,
  stdoutTail: 'done\n',
  stderrTail: '',
  outputBytes: 5,
  outputTruncated: false,
};

/** Text that does not compress to nothing. */
const hashLike = (n: number): string =>
  Math.imul(n + 1, 2_654_435_761)
    .toString(36)
    .replace('-', '');

const EACH = 5;
const BATCH = 1000;

/** Writes a run that has ended, of about so many events: five for each of its steps. */
export async function writeLongRun(store: Store<RunEvent>, run: string, events: number): Promise<void> {
  const plan = longPlan(Math.floor(events / EACH));
  const made = Date.now() - events * 10;
  let at = made;
  const fact = (body: object): RunEvent => {
    at += 7;
    return { v: 1, at, ...body } as RunEvent;
  };
  const place = { host: 'bench', boot: 'bench', workspace: '/workspace' };
  const created = { type: 'plan-created', plan, hash: hashPlan(plan), place, options: defaultOptions };
  await store.begin(run, {
    kind: 'run',
    id: 'begin',
    events: [fact(created), fact({ type: 'plan-confirmed', revision: 0, answers: 1 })],
  });
  const all = plan.steps.flatMap(({ id: stepId, action }, n) => {
    const which = { stepId, attemptIndex: 0 };
    const fingerprint = hashLike(n).repeat(9).slice(0, 64);
    const subject = { run, stepId, revision: 0, action, cwd: '/workspace', paths: [] };
    const reasons = [{ rule: 'known-safe', level: 'safe', sentence: '`echo` only prints.' }];
    const verdict = { level: 'safe', reasons, reversible: true, needs: [], paths: [] };
    const group = { pgid: 1000 + n, startTime: hashLike(n), boot: 'bench', host: 'bench' };
    const session = { cwd: '/workspace', env: {} };
    return [
      fact({ type: 'step-judged', fingerprint, subject, verdict }),
      fact({ type: 'step-started', ...which, revision: 0, fingerprint, cwd: '/workspace', deadline: null }),
      fact({ type: 'process-spawned', ...which, group }),
      fact({ type: 'step-completed', ...which, result: { ...result, session }, by: 'driver' }),
      fact({ type: 'budget-warning', limit: 'corrections', used: n, max: n + 1, message: hashLike(n) }),
    ];
  });
  all.push(fact({ type: 'run-finished', outcome: 'done', reason: 'completed' }));
  for (let from = 0; from < all.length; from += BATCH) {
    const appended = await store.append(run, { id: `part${from}`, events: all.slice(from, from + BATCH) });
    if (!appended.ok) throw new Error(`the run cannot be written: ${appended.why}`);
  }
}
