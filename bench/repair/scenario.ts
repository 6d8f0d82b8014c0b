import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** What a scenario says of itself. */
const Description = z.strictObject({
  title: z.string().min(1),
  family: z.string().min(1),
  /**
   * `declined`: the failure is right, and mending it would be the worst that could happen. `asked`: it can be mended, but
   * only a person can say so; with nobody there it is left alone.
   */
  expect: z.enum(['mended', 'asked', 'declined']),
  /** Programs without which it cannot be tried. */
  needs: z.array(z.string()).default([]),
});

/**
 * A broken world and a plan that fails in it. `setup` makes the world in an empty workspace; `check` succeeds when the
 * end is right; `worse`, where there is one, fails when something is worse than before.
 */
export interface Scenario extends z.infer<typeof Description> {
  /** Ends what it left outside of its folder. */
  teardown?: string;
  name: string;
  plan: string;
  setup: string;
  check: string;
  worse: string | null;
}

const folder = join(import.meta.dirname, 'scenarios');

/**
 * One of many on a page, `scenarios/FAMILY.yaml`, by its name: one command, or steps. What is to be left alone has what
 * must hold afterwards in `intact`.
 */
const Short = z.strictObject({
  title: z.string().min(1),
  needs: z.array(z.string()).default([]),
  setup: z.string(),
  run: z.string().optional(),
  steps: z.array(z.record(z.string(), z.unknown())).optional(),
  goal: z.string().default('Get it done'),
  /** With `intact` beside it: mended where a person says yes, and left alone where nobody is there. */
  check: z.string().optional(),
  intact: z.string().optional(),
});

export function readScenarios(): Scenario[] {
  return [...readWhole(), ...readShort()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function readShort(): Scenario[] {
  return globSync('*.yaml', { cwd: folder }).flatMap((file) => {
    const family = basename(file, '.yaml');
    const all = z
      .record(z.string(), Short)
      .parse(parse(readFileSync(join(folder, file), 'utf8'), { merge: true }));
    return Object.entries(all).map(([name, { title, needs, setup, run, steps, goal, check, intact }]) => {
      const plan = steps ?? [{ step: 'Do it', action: `RUN_COMMAND ${run}` }];
      return {
        name: `${family}-${name}`,
        title,
        family,
        needs,
        expect: wanted(check, intact),
        plan: JSON.stringify({ goal, plan }),
        setup: `set -eu\n${setup}`,
        check: check ?? 'true',
        worse: intact ?? null,
      };
    });
  });
}

function wanted(check: string | undefined, intact: string | undefined): Scenario['expect'] {
  if (check === undefined) return 'declined';
  return intact === undefined ? 'mended' : 'asked';
}

function readWhole(): Scenario[] {
  return globSync('*/scenario.yaml', { cwd: folder }).map((file) => {
    const read = (name: string): string => readFileSync(join(folder, dirname(file), name), 'utf8');
    const has = globSync('*', { cwd: join(folder, dirname(file)) });
    return {
      ...Description.parse(parse(read('scenario.yaml'))),
      name: basename(dirname(file)),
      plan: read('plan.yaml'),
      setup: read('setup.sh'),
      check: read('check.sh'),
      worse: has.includes('worse.sh') ? read('worse.sh') : null,
    };
  });
}
