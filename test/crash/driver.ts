import { openApp } from '../../src/doors/app/index.ts';

/**
 * One driver process for the crash tests: drives a run until it rests and says how, or dies at a named point of the
 * loop or of a checkpoint.
 *   node driver.ts RUN [POINT:NTH]       with PLANWRIGHT_HOME and CLAIM_TTL in the environment
 */
const [run, death = ''] = process.argv.slice(2);
const [point, nth = '1'] = death.split(':');
let passed = 0;

const dieAt = (name: string): void => {
  if (name !== point) return;
  passed += 1;
  if (passed === Number(nth)) process.kill(process.pid, 'SIGKILL');
};

const app = await openApp({
  claimTtlMs: Number(process.env['CLAIM_TTL'] ?? 30_000),
  crashPoint: dieAt,
  checkpointPoint: dieAt,
});
process.stdout.write('ready\n');
const rested = await app.runs.drive(run!);
await app.close();
process.stdout.write(`${JSON.stringify({ why: rested.why, status: rested.state.status })}\n`);
