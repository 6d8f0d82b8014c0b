import { parsePlanFile } from '../../src/core/plan/file/index.ts';
import { validatePlan } from '../../src/core/plan/validate/index.ts';

export interface Measurement {
  name: string;
  value: number;
  unit: string;
  target: number | null;
}

const ROUNDS = 7;

/** A plan such as people write: titles, commands with quotes and pipes, scripts, expectations, dependencies. */
export function samplePlan(steps: number): string {
  const lines = ['goal: Build and check every part', 'inputs: [version]', 'plan:'];
  for (let index = 0; index < steps; index++) {
    lines.push(`  - step: Build part ${index}`);
    if (index % 5 === 4) {
      lines.push(
        '    run: |',
        '      set -e',
        `      mkdir -p out/${index}`,
        `      cp src/*.txt "out/${index}" && echo {version}`,
      );
    } else {
      lines.push(
        `    action: RUN_COMMAND make part-${index} | tee "out/${index}.log" && test -s out/${index}.log`,
      );
    }
    lines.push(`    expects: file exists out/${index}.log`);
    if (index > 0) lines.push(`    after: [${index}]`);
  }
  return `${lines.join('\n')}\n`;
}

/** Parse + validate of a 5,000-step plan: the first time in this process, and the median of later rounds. */
export async function benchPlan(): Promise<Measurement[]> {
  const text = samplePlan(5_000);
  const parse: number[] = [];
  const validate: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const started = performance.now();
    const result = parsePlanFile(text, { file: 'bench.yaml' });
    const parsed = performance.now();
    if (!result.ok) throw new Error('the sample plan is not accepted');
    const problems = await validatePlan(result.plan);
    if (problems.length > 0) throw new Error(`the sample plan has problems: ${problems[0]?.message}`);
    parse.push(parsed - started);
    validate.push(performance.now() - parsed);
  }
  const total = parse.map((time, round) => time + validate[round]!);
  const slow = parsePlanTime(text.replace('goal: Build', 'goal: !!str Build'));
  return [
    {
      name: 'plan: parse + validate 5,000 steps, first time',
      value: round1(total[0]!),
      unit: 'ms',
      target: 200,
    },
    {
      name: 'plan: parse + validate 5,000 steps, median',
      value: round1(median(total.slice(1))),
      unit: 'ms',
      target: 200,
    },
    { name: 'plan: parse alone, median', value: round1(median(parse.slice(1))), unit: 'ms', target: null },
    {
      name: 'plan: validate alone, median',
      value: round1(median(validate.slice(1))),
      unit: 'ms',
      target: null,
    },
    { name: 'plan: parse of YAML that needs the full reader', value: round1(slow), unit: 'ms', target: null },
  ];
}

function parsePlanTime(text: string): number {
  const started = performance.now();
  if (!parsePlanFile(text, { file: 'bench.yaml' }).ok) throw new Error('the sample plan is not accepted');
  return performance.now() - started;
}

const round1 = (value: number) => Math.round(value * 10) / 10;
const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
