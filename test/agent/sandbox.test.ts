import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { probeSandbox } from '../../src/world/process/index.ts';
import { insert, modify, openStage, type Stage, steps } from './stage.ts';

const probe = await probeSandbox();
const isMissing = !probe.works && process.env['CI'] !== 'true';
if (isMissing) console.log('no sandbox here: these tests are skipped');

const sandboxed = { PLANWRIGHT_SANDBOX: 'corrections' };

/** A folder that is in no workspace, and a script `out` that writes there without its command saying so. */
function elsewhere({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, stage: Stage) {
  const outside = mkdtempSync(join(homedir(), '.planwright-outside-'));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  stage.write('out', `touch ${outside}/made`);
  return { outside, made: () => existsSync(join(outside, 'made')) };
}

describe.skipIf(isMissing)('a correction that nobody has seen runs in a sandbox', () => {
  it('inside the workspace it may write, and nobody is asked', async (test) => {
    const stage = openStage(test);
    stage.answers(insert('touch ready'));
    const told = await stage.mend(steps('sh need ready'), [], sandboxed);
    expect(told.code, told.stderr).toBe(0);
    expect(told.of('approval-needed')).toEqual([]);
  });

  it('what it wants outside is refused, and asked for: just that; approved, it goes on', async (test) => {
    const stage = openStage(test);
    const { outside, made } = elsewhere(test, stage);
    stage.answers(insert('sh out', 'touch ready'));
    const told = await stage.mend(
      steps('sh need ready', 'echo after >> log'),
      ['--on-ask', 'park'],
      sandboxed,
    );
    expect(told.code, told.stderr).toBe(3);
    expect(made()).toBe(false);
    expect(told.of('step-failed').map(({ result }) => result.why)).toEqual(['exit-code', 'sandbox-denied']);
    expect(told.of('grant-wanted')).toMatchObject([{ stepId: 's1-r1-1', grants: { write: [outside] } }]);
    const [asked] = told.of('approval-needed');
    expect(asked!.subject).toMatchObject({ stepId: 's1-r1-1', grants: { write: [outside] } });
    expect(asked!.warningMessage).toContain(`It wants to write ${outside} beyond its sandbox.`);
    expect(stage.asked()).toHaveLength(1);
    const approved = await stage.run(['approve'], { ...stage.env, ...sandboxed });
    expect(approved.code, approved.stderr).toBe(0);
    expect(made()).toBe(true);
    expect(stage.read('log')).toBe('after\n');
    expect(stage.asked(), 'what a sandbox refuses is no failure for the brain').toHaveLength(1);
  });

  it('denied, the correction is refused and the brain finds a way inside', async (test) => {
    const stage = openStage(test);
    const { made } = elsewhere(test, stage);
    stage.answers(insert('sh out'), insert('touch ready'));
    const told = await stage.mend(steps('sh need ready'), ['--on-ask', 'deny'], sandboxed);
    expect(told.code, told.stderr).toBe(0);
    expect(told.of('correction-refused')).toMatchObject([{ correctionId: 'c1', code: 'denied' }]);
    expect(made()).toBe(false);
  });

  it('a modified step is one that nobody has seen, too', async (test) => {
    const stage = openStage(test);
    const { outside, made } = elsewhere(test, stage);
    stage.write('work', `if [ "$1" = --all ]; then touch ${outside}/made; else sh need ready; fi`);
    stage.answers(modify('sh work --all'), null);
    const told = await stage.mend(steps('sh work'), ['--on-ask', 'deny'], sandboxed);
    expect(told.code).toBe(1);
    expect(told.of('grant-wanted')).toMatchObject([{ stepId: 's1' }]);
    expect(made()).toBe(false);
  });

  it('steps of the person run outside, as they were agreed on', async (test) => {
    const stage = openStage(test);
    const { made } = elsewhere(test, stage);
    stage.answers(insert('touch ready'));
    const told = await stage.mend(steps('sh need ready', 'sh out'), [], sandboxed);
    expect(told.code, told.stderr).toBe(0);
    expect(made()).toBe(true);
  });

  it('with `sandbox: off` it runs outside', async (test) => {
    const stage = openStage(test);
    const { made } = elsewhere(test, stage);
    stage.answers(insert('sh out', 'touch ready'));
    const told = await stage.mend(steps('sh need ready'));
    expect(told.code, told.stderr).toBe(0);
    expect(made()).toBe(true);
  });
});
