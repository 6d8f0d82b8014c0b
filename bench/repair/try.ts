// Usage: node bench/repair/try.ts [--live] [--cd] all|even|odd|FAMILY|NAME…
//
// Our own scenarios, or with `--live` the cases of others, told one by one: all, a half, a family, or some by name (then
// with their story). With `--cd` each one folder down, behind `cd sub &&`; plans of several steps are left out.

import { behindCd, isRight, readLive } from './live.ts';
import { readScenarios } from './scenario.ts';
import { tryScenario } from './trial.ts';

const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith('--'));
const names = words.filter((word) => !word.startsWith('--'));
const all = flags.includes('--live') ? (readLive() ?? []) : readScenarios();
const half = { all: [0, 1], even: [0], odd: [1] }[names[0] ?? 'even'];
const isNamed = (name: string): boolean => names.includes(name);
const queue = all
  .filter(({ name, family }, at) => half?.includes(at % 2) ?? (isNamed(name) || isNamed(family)))
  .flatMap((scenario) => (flags.includes('--cd') ? (behindCd(scenario) ?? []) : scenario));
const count = { right: 0, of: queue.length };

async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const trial = await tryScenario(next);
    if (isRight(trial)) count.right++;
    const mark = isRight(trial) ? '✓' : '✗';
    process.stdout.write(`${mark} ${next.family}: ${next.name} (${next.expect}) ${trial.outcome}\n`);
    if (isNamed(next.name) && !isRight(trial)) process.stdout.write(`${trial.story.join('\n')}\n`);
  }
}

// The benches are found by loading what is here.
if (import.meta.main) {
  await Promise.all([work(), work()]);
  process.stdout.write(`${count.right} of ${count.of}\n`);
}
