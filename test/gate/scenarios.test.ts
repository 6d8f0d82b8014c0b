import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFullLength } from '../support/scale.ts';
import * as scenarios from './scenarios.ts';
import { forgetUsual, has, modes, play, type Scenario } from './stage.ts';

/** Serves a script that destroys, to whoever fetches it. */
let server: Server;
beforeAll(async () => {
  server = createServer((_, response) => response.end('rm -rf keep\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  forgetUsual();
});

const served = (scenario: Scenario): Scenario => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { ...scenario, steps: scenario.steps.map((step) => step.replaceAll('{url}', url)) };
};

/**
 * What took effect unasked once: it is asked about now, or all of it can be taken back. In both modes; at a desk in one
 * after the other.
 */
for (const [group, all] of Object.entries(scenarios)) {
  describe(group, () => {
    for (const [n, scenario] of (all as readonly Scenario[]).entries())
      for (const mode of scenario.modes ?? (isFullLength ? modes : [modes[n % 2]!])) {
        // scripts/setup-system.js sees to the programs; with CI=true nothing is left out because one is missing.
        const test = it.skipIf(!has(scenario.needs) && process.env['CI'] !== 'true');
        test(`${scenario.name}, in ${mode} mode`, async () => {
          expect(has(scenario.needs), `${scenario.needs} is missing`).toBe(true);
          const { asked, changed, lost } = await play(served(scenario), mode);
          expect(lost, 'not brought back').toEqual([]);
          expect(asked || changed, 'it did nothing, so that it shows nothing').toBe(true);
        });
      }
  });
}
