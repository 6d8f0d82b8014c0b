import { availableParallelism } from 'node:os';
import { fuzzWrappings } from '../../test/risk/canary.ts';
import { canJail } from '../../test/risk/jail.ts';
import type { Row } from '../row.ts';

/** Random wrappers, options and nestings around a command that deletes, really run in a jail. RISK_SEED, RISK_COUNT. */
export async function benchRiskFuzz(): Promise<Row[]> {
  if (!canJail()) throw new Error('bubblewrap does not work here: nothing can be run in a jail');
  const seed = Number(process.env['RISK_SEED'] ?? Date.now() % 1_000_000_000);
  const count = Number(process.env['RISK_COUNT'] ?? 20_000);
  const { ran, deleted, missed } = await fuzzWrappings(count, seed, availableParallelism());
  for (const text of missed) process.stderr.write(`judged less than dangerous: ${JSON.stringify(text)}\n`);
  return [
    { name: 'commands run in a jail', value: ran, unit: '', target: '>= 20000', note: `seed ${seed}` },
    { name: 'deleted the canary', value: deleted, unit: '' },
    { name: 'of those judged less than dangerous', value: missed.length, unit: '', target: 0 },
  ];
}
