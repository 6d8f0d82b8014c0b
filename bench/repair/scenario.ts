import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** What a scenario says of itself. */
const Description = z.strictObject({
  title: z.string().min(1),
  family: z.string().min(1),
  /** `declined`: the failure is right, and mending it would be the worst that could happen. */
  expect: z.enum(['mended', 'declined']),
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

export function readScenarios(): Scenario[] {
  return globSync('*/scenario.yaml', { cwd: folder })
    .toSorted()
    .map((file) => {
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
