import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FactBody, Step, StoredEvent } from '../../src/core/contract/index.ts';
import { brokenLimits } from '../../src/core/run/testing/invariants.ts';
import { crashPoints } from '../../src/core/stream/index.ts';
import { createRandom } from '../simulation/random.ts';
import { eventually } from '../support/processes.ts';
import { howMany, isFullLength } from '../support/scale.ts';
import { openSite, resumeAndCheck, type Site } from './site.ts';

const answer = {
  action: 'insert_steps',
  reasoning: 'It needs a file.',
  newSteps: [
    { step: 'Make it', action: 'RUN_COMMAND sleep 0.02; echo s2-r1-1 >> effects.txt; sleep 0.02' },
    { step: 'Say so', action: 'RUN_COMMAND touch ready' },
  ],
};

/** Answers once there is a file `go`; says with its pid that it was asked. */
const BRAIN = `cat > /dev/null
echo $$ >> brains.txt
until [ -f go ]; do sleep 0.02; done
cat <<'END'
${JSON.stringify(answer)}
END
`;

const steps: Step[] = [
  step('s1', 'echo s1 >> effects.txt'),
  step('s2', 'if [ ! -f ready ]; then echo nothing is ready >&2; exit 7; fi; echo s2 >> effects.txt'),
  step('s3', 'echo s3 >> effects.txt'),
];
const expected = ['s1', 's2-r1-1', 's2', 's3'];

function step(id: string, command: string): Step {
  return { id, title: `Effect ${id}`, action: { kind: 'run-command', command } };
}

let site: Site;
beforeEach(async () => {
  site = await openSite({ PLANWRIGHT_BRAIN_PROGRAM: 'sh brain.sh', PLANWRIGHT_SANDBOX: 'off' });
  write('brain.sh', BRAIN);
});
afterEach(() => site.close());

const write = (name: string, text = '') => writeFileSync(join(site.workspace, name), text);
const newRun = () => site.runOf(steps, { mode: 'agentic' });
const count = (events: StoredEvent[], type: FactBody['type']) =>
  events.filter(({ event }) => event.type === type).length;

/** Drives as far as the revised plan: what is started next is a repair. */
const stopAtRevision = (run: string) => site.driver(run, 'after-write@retry-attempt').ended;

/** Whatever happened: one correction, applied once, that helped once, within the limits. */
async function checkMended(run: string): Promise<void> {
  const events = await site.journal(run);
  expect(count(events, 'correction-attempt'), 'one correction').toBe(1);
  expect(count(events, 'plan-revised'), 'applied once').toBe(1);
  expect(count(events, 'retry-attempt')).toBe(1);
  expect(count(events, 'correction-success')).toBe(1);
  expect(count(events, 'agent-error')).toBe(0);
  expect(brokenLimits(events)).toEqual([]);
}

describe('killed while a step is mended, the run goes on as if it had not been', () => {
  // The brain is asked about at the third pass of each point, and the last repair is done at about the sixth.
  const deaths = crashPoints.flatMap((point, at) =>
    (isFullLength ? [3, 4, 5, 6] : [3 + (at % 4)]).map((nth) => `${point}:${nth}`),
  );
  it.each(deaths)('%s', async (death) => {
    write('go');
    const run = await newRun();
    const { signal } = await site.driver(run, death).ended;
    if (signal !== null) await resumeAndCheck(site, run, expected);
    expect(site.effects()).toEqual(expected);
    await checkMended(run);
  });

  const random = createRandom(6);
  it.each(Array.from({ length: howMany(6, 2) }, () => 50 + random.int(500)))(
    'at a random moment, %i ms',
    async (delay) => {
      write('go');
      const run = await newRun();
      const driver = site.driver(run);
      await driver.says('ready');
      const timer = setTimeout(() => driver.child.kill('SIGKILL'), delay);
      const { signal } = await driver.ended;
      clearTimeout(timer);
      if (signal !== null) await resumeAndCheck(site, run, expected);
      await checkMended(run);
    },
  );

  it.each([
    ['with the brain about to be asked', 'after-write@agent-thinking'],
    ['between the revision and its first repair', 'after-write@retry-attempt'],
    ['in a repair', 'after-record@process-spawned'],
  ])('%s', async (_, death) => {
    write('go');
    const run = await newRun();
    if (death.startsWith('after-record')) await stopAtRevision(run);
    expect((await site.driver(run, death).ended).signal).toBe('SIGKILL');
    expect((await site.journal(run)).at(-1)!.event.type).toBe(death.split('@')[1]);
    await resumeAndCheck(site, run, expected);
    await checkMended(run);
  });

  it('while the brain is at it: it ends with its driver, and is asked anew', async () => {
    const run = await newRun();
    const driver = site.driver(run);
    const brains = () =>
      existsSync(join(site.workspace, 'brains.txt'))
        ? readFileSync(join(site.workspace, 'brains.txt'), 'utf8').trim().split('\n')
        : [];
    await eventually(() => brains().length === 1, 'the brain is asked');
    driver.child.kill('SIGKILL');
    await driver.ended;
    await eventually(() => !existsSync(`/proc/${brains()[0]}`), 'the brain has ended');
    const atDeath = await site.app.runs.state(run);
    expect(atDeath).toMatchObject({ status: 'recovering', thinking: { stepId: 's2' }, corrections: [] });
    write('go');
    const { asked } = await resumeAndCheck(site, run, expected);
    expect(asked).toBe(false);
    expect(brains()).toHaveLength(2);
    expect(count(await site.journal(run), 'agent-thinking')).toBe(2);
    await checkMended(run);
  });
});
