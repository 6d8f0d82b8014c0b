import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: { '@contract': at('src/core/contract/index.ts'), '@told': at('src/core/contract/told/index.ts') },
  },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/src/**/*.test.ts'],
    // For what hangs: on a busy machine everything takes its time, and none of it is a failure.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    // Most of the time is spent waiting for processes: on two cores the default would be a single worker.
    maxWorkers: 2,
    // Programs that tests start share their compiled code: that is more than half of what a start costs.
    env: { NODE_COMPILE_CACHE: at('node_modules/.cache/code') },
    reporters: ['default'],
  },
});
