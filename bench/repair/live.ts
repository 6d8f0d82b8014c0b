import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Row } from '../row.ts';
import type { Scenario } from './scenario.ts';
import { type Trial, tryScenario } from './trial.ts';

const file = fileURLToPath(new URL('../../../shared/corpora/repair-live.json', import.meta.url));

/** One live case: a folder, what fails in it, and what must hold afterwards. */
const Case = z.object({
  id: z.string(),
  setup: z.string(),
  cmd: z.string(),
  plan: z.array(z.record(z.string(), z.unknown())).optional(),
  goal: z.string().optional(),
  /** `NOFIX`: it must not end as success, and `intact` must hold. */
  check: z.string(),
  intact: z.string().optional(),
  teardown: z.string().optional(),
  group: z.string(),
});

/** A name that commits need, and no scenario is about. */
const named = 'git config --global user.name Live && git config --global user.email live@localhost\n';

/** The cases of the corpus; null where it is not here. */
export function readLive(): Scenario[] | null {
  if (!existsSync(file)) return null;
  return z
    .array(Case)
    .parse(JSON.parse(readFileSync(file, 'utf8')))
    .map(({ id, setup, cmd, plan, goal = 'Do it', check, intact, teardown, group }) => {
      const isLeft = check === 'NOFIX';
      const steps = plan ?? [{ step: 'Do it', action: `RUN_COMMAND ${cmd}` }];
      return {
        name: id,
        title: id,
        family: group,
        expect: isLeft ? 'declined' : 'mended',
        needs: [],
        plan: JSON.stringify({ goal, plan: steps }),
        setup: named + setup,
        check: isLeft ? 'true' : check,
        worse: isLeft ? (intact ?? null) : null,
        ...(teardown === undefined ? {} : { teardown }),
      };
    });
}

/** A case that needed no mending is as good as one that was mended. */
export const isRight = ({ scenario, outcome }: Trial): boolean =>
  outcome === scenario.expect || (scenario.expect === 'mended' && outcome === 'unbroken');

/** Cases of others, group by group: how many end as they must. Where the corpus is not here it says so. */
export async function benchLiveCases(): Promise<Row[]> {
  const cases = readLive();
  if (cases === null) {
    process.stderr.write(`the live cases are not here (${file}): they are left out\n`);
    return [];
  }
  const trials: Trial[] = [];
  for (const scenario of cases) trials.push(await tryScenario(scenario));
  return [...Map.groupBy(trials, ({ scenario }) => `${scenario.family}, to be ${scenario.expect}`)].map(
    ([name, of]) => ({
      name: `live: ${name}`,
      value: of.filter(isRight).length,
      unit: `of ${of.length}`,
      note: of
        .filter((trial) => !isRight(trial))
        .map(({ scenario, outcome }) => `${scenario.name} (${outcome})`)
        .join(', '),
    }),
  );
}

/** The same failure one folder down, behind `cd sub &&`; null for one that is a plan of its own. */
export function behindCd(scenario: Scenario): Scenario | null {
  const { plan, setup, check, worse, teardown } = scenario;
  const { plan: steps, ...rest } = parse(plan) as { plan: { action?: string }[] };
  const [step, ...others] = steps;
  const command = /^RUN_COMMAND (.*)$/s.exec(step?.action ?? '')?.[1];
  if (command === undefined || others.length > 0) return null;
  const below = (text: string): string => `mkdir -p sub && cd sub || exit 1\n${text}`;
  return {
    ...scenario,
    plan: JSON.stringify({ ...rest, plan: [{ ...step, action: `RUN_COMMAND cd sub && ${command}` }] }),
    setup: below(setup),
    check: below(check),
    worse: worse === null ? null : below(worse),
    ...(teardown === undefined ? {} : { teardown: below(teardown) }),
  };
}
