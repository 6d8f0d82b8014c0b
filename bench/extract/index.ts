import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { jsonrepair } from 'jsonrepair';
import { extractJson } from '../../src/world/models/index.ts';
import { median, type Row } from '../row.ts';

const corpus = fileURLToPath(new URL('../../../shared/corpora/model-outputs.json', import.meta.url));

const step = (n: number) => ({
  step: `Step ${n}`,
  action: `RUN_COMMAND echo "{${n}}" && ls [a-z]*`,
  expects: 'exit 0',
});
const plan = (steps: number) =>
  JSON.stringify({ goal: 'g', plan: Array.from({ length: steps }, (_, n) => step(n)) });

const time = (work: () => unknown): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

/** JSON out of whole answers: how much of what real models said is read, and how long it takes at most. */
export async function benchExtract(): Promise<Row[]> {
  const answer = `Here is the plan:\n<json>\n${plan(12)}\n</json>`;
  const times = Array.from({ length: 2000 }, () => time(() => extractJson(answer))).slice(200);
  const big = plan(60_000);
  const noises: [string, string][] = [
    ['a whole answer', `Sure:\n${big}\nThat is all.`],
    ['an answer that is cut off', `<json>${big.slice(0, -777)}`],
    ['broken strings', '{"a":"b\nc"d,'.repeat(400_000)],
    ['braces', '{'.repeat(5_000_000)],
  ];
  return [
    { name: 'a plan of 12 steps in tags, median', value: median(times), unit: 'ms', target: 1 },
    ...noises.map(([name, text]) => ({
      name: `5 MB: ${name}`,
      value: time(() => extractJson(text)),
      unit: 'ms',
      target: 2000,
    })),
    ...(existsSync(corpus) ? ofRealModels() : []),
  ];
}

function ofRealModels(): Row[] {
  const { outputs } = JSON.parse(readFileSync(corpus, 'utf8')) as {
    outputs: { raw: string; valid: boolean }[];
  };
  const share = (among: typeof outputs, reads: (raw: string) => boolean) =>
    (100 * among.filter(({ raw }) => reads(raw)).length) / among.length;
  const ours = (raw: string) => extractJson(raw).ok;
  const repair = (raw: string) => {
    try {
      const value: unknown = JSON.parse(jsonrepair(raw));
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    } catch {
      return false;
    }
  };
  const [valid, broken] = [outputs.filter((one) => one.valid), outputs.filter((one) => !one.valid)];
  return [
    {
      name: 'valid answers read',
      value: share(valid, ours),
      unit: '%',
      target: '>= 100',
      note: `of ${valid.length}; jsonrepair alone: ${share(valid, repair).toFixed(0)} %`,
    },
    {
      name: 'malformed answers read',
      value: share(broken, ours),
      unit: '%',
      note: `of ${broken.length}; jsonrepair alone: ${share(broken, repair).toFixed(0)} %`,
    },
  ];
}
