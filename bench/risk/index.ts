import { existsSync, readFileSync } from 'node:fs';
import { judgeCommand } from '../../src/core/risk/index.ts';
import { createSecretFilter } from '../../src/core/risk/secrets/index.ts';
import { catalogue } from '../../src/core/risk/testing/catalogue.ts';

/** One measured thing. It is good enough where `value` is below `target`, or above it for rates (unit MB/s). */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: 'µs' | 'ms' | 'MB/s';
  readonly target: number;
}

/** How long judging takes: over the corpus (or the examples of the rules, where it is absent), and at its worst. */
export function benchRisk(): Measurement[] {
  const times = perCommand(corpus());
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return [
    { name: 'judge a command, median', value: at(0.5), unit: 'µs', target: 20 },
    { name: 'judge a command, 99th percentile', value: at(0.99) / 1000, unit: 'ms', target: 5 },
    { name: 'judge 200 kB', value: once(`echo ${'a'.repeat(200_000)}; rm -rf x`), unit: 'ms', target: 50 },
    { name: 'judge 60 kB of commands', value: once('ls -la /tmp; '.repeat(4_600)), unit: 'ms', target: 50 },
    {
      name: 'judge 400 nested substitutions',
      value: once(`${'$('.repeat(400)}rm -rf x${')'.repeat(400)}`),
      unit: 'ms',
      target: 50,
    },
    {
      name: 'judge 400 nested subshells',
      value: once(`${'('.repeat(400)}ls${')'.repeat(400)}`),
      unit: 'ms',
      target: 50,
    },
    { name: 'filter secrets out of a log', value: filterRate(), unit: 'MB/s', target: 30 },
  ];
}

function corpus(): string[] {
  const file = new URL('../../../shared/corpora/risk-cases.json', import.meta.url);
  if (!existsSync(file))
    return catalogue.flatMap(({ rules }) => rules.flatMap((rule) => [...rule.hits, ...rule.misses]));
  return (JSON.parse(readFileSync(file, 'utf8')) as { cases: { command: string }[] }).cases.map(
    (found) => found.command,
  );
}

/** Microseconds for each command, sorted, after warming up. The best of three, so that neighbours count less. */
function perCommand(commands: readonly string[]): number[] {
  for (let round = 0; round < 3; round++) for (const command of commands) judgeCommand(command);
  return commands
    .map((command) => Math.min(elapsed(command), elapsed(command), elapsed(command)) * 1000)
    .sort((a, b) => a - b);
}

function elapsed(command: string): number {
  const start = performance.now();
  judgeCommand(command);
  return performance.now() - start;
}

/** The best of some, as above. */
function once(command: string): number {
  return Math.min(...Array.from({ length: 8 }, () => elapsed(command)));
}

const lines = [
  '2024-05-01T10:11:12.123Z INFO  [worker-3] GET /api/v1/items/42?limit=10 200 12ms user=jane host=web-1\n',
  '    at Object.<anonymous> (/home/u/project/node_modules/jest/build/index.js:123:45)\n',
  '{"level":"info","ts":1714557072.1,"msg":"processed batch","count":128,"took":"12.3ms"}\n',
  'PASS src/keys.test.ts (token count 12)\n',
];

function filterRate(): number {
  const text = lines.join('').repeat(20_000);
  const filter = createSecretFilter({ values: ['a-known-secret-value', 'another-known-value'] });
  let best = 0;
  for (let round = 0; round < 3; round++) {
    const stream = filter.stream();
    const start = performance.now();
    for (let at = 0; at < text.length; at += 65_536) stream.push(text.slice(at, at + 65_536));
    stream.flush();
    best = Math.max(best, text.length / 1000 / (performance.now() - start));
  }
  return best;
}
