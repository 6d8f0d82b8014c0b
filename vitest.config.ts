import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isFullLength } from './test/support/scale.ts';

const postgres = 'test/support/postgres-setup.ts';
const unit = {
  name: 'unit',
  include: ['src/**/*.test.ts', 'web/src/**/*.test.ts'],
  globalSetup: postgres,
};
// Starts the program: bundled before the first of them, where the sources have changed.
const whole = {
  name: 'whole',
  include: ['test/**/*.test.ts'],
  globalSetup: ['test/support/setup.ts', postgres],
};

/** What waits for PostgreSQL takes longest of the unit tests, however short its file is. */
const isSlow = ({ moduleId }: TestSpecification) =>
  readFileSync(moduleId, 'utf8').includes('test/support/postgres.ts');

/** What needs the whole program takes longest and comes first, so that the workers end together. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isUnit = ({ project }: TestSpecification) => project.name === unit.name;
    const units = Map.groupBy(sorted.filter(isUnit), isSlow);
    return [
      ...sorted.filter((file) => !isUnit(file)),
      ...(units.get(true) ?? []),
      ...(units.get(false) ?? []),
    ];
  }
}

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      '@contract': at('src/core/contract/index.ts'),
      '@told': at('src/core/contract/told/index.ts'),
      '@tasks': at('src/core/contract/tasks/index.ts'),
    },
  },
  test: {
    projects: [
      { extends: true, test: unit },
      { extends: true, test: whole },
    ],
    // Files leave nothing behind, and loading the sources anew for each would cost more than most of them do.
    isolate: false,
    // For what hangs: on a busy machine everything takes its time, and none of it is a failure. What does much of the same
    // at full length has more: `lengthy` in test/support/scale.ts.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    // Much of the time is spent waiting, for processes and for what is due later: on two cores the default would be a single
    // worker, four leave a quarter of the time to nobody, and six a fifteenth. At full length there is less to wait for.
    maxWorkers: isFullLength ? 4 : 6,
    sequence: { sequencer: LongestFirst },
    // Programs that tests start share their compiled code: that is more than half of what a start costs.
    env: { NODE_COMPILE_CACHE: at('node_modules/.cache/code') },
    reporters: ['default'],
  },
});
