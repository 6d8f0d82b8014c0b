import { appendFile } from 'node:fs/promises';
import { openApp } from '../../src/doors/app/app.ts';
import { drivableToys } from '../support/toy-app.ts';

/**
 * One driver process for the crash tests: drives a run or a toy until it rests and says how, or dies at a named point of the
 * loop or of a checkpoint.
 *   node driver.ts RUN [POINT:NTH]       with PLANWRIGHT_HOME and CLAIM_TTL in the environment
 *   node driver.ts RUN POINT@EVENT       at that point, once this event is the last in the journal
 */
const [run, death = ''] = process.argv.slice(2);
const [point, which = '1'] = death.split(/[:@]/);
let passed = 0;

const dieAt = async (name: string): Promise<void> => {
  if (name !== point) return;
  passed += 1;
  const last = death.includes('@') ? (await app.streams.read(run!, 0)).at(-1)?.event.type : null;
  if (last === which || passed === Number(which)) process.kill(process.pid, 'SIGKILL');
};

const app = await openApp({
  claimTtlMs: Number(process.env['CLAIM_TTL'] ?? 30_000),
  crashPoint: dieAt,
  // A toy leaves a line for each time it counts.
  drivables: [drivableToys(async (n) => appendFile('effects.txt', `${n}\n`).then(() => true))],
  // Synchronous: the next moment is another one.
  checkpointPoint: (name) => {
    if (name !== point) return;
    passed += 1;
    if (passed === Number(which)) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write('ready\n');
const rested = await app.streams.drive(run!);
const row = await app.streams.row(run!);
await app.close();
process.stdout.write(`${JSON.stringify({ why: rested.why, status: row?.state })}\n`);
