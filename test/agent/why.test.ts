import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { insert, modify, openStage, skip, steps } from './stage.ts';

describe('planwright why', () => {
  it('tells each failure, its correction, where it came from, the diff and the outcome', async (test) => {
    const stage = openStage(test);
    stage.answers(modify('rm -rf /'), insert('touch ready'));
    await stage.mend(steps('sh need ready'));
    const { stdout, code } = await stage.run(['why']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Step 1 failed \(exit 7\)\n {4}need: no ready today/);
    expect(stdout).toMatch(
      /Another way\.\n {2}change the command \(c1: brain program .*, 100 % sure\)[\s\S]*refused: /,
    );
    expect(stdout).toMatch(/add a step before it \(c2: [\s\S]*\+ .*First touch ready[\s\S]*it helped\n$/);
  });

  it('--json gives the same to programs', async (test) => {
    const stage = openStage(test);
    stage.answers(skip);
    const told = await stage.mend(steps('sh need ready'));
    const story = JSON.parse((await stage.run(['why', '--json'])).stdout);
    expect(story).toMatchObject({
      goal: 'a goal',
      chapters: [
        {
          stepId: 's1',
          failure: { why: 'exit-code', exitCode: 7, said: 'need: no ready today' },
          correction: { id: 'c1', action: 'skip', source: { brain: 'program' } },
          outcome: 'applied',
          cost: { usd: 0, tokens: 0 },
        },
      ],
    });
    expect((await stage.run(['why', story.run])).stdout).toContain('the step was left out');
    expect(told.code).toBe(6);
  });

  it('hides secrets, whoever said them', async (test) => {
    const stage = openStage(test);
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    stage.write('need', `echo "bad token ${secret}" >&2; exit 7\n`);
    stage.answers({ action: 'abort', reasoning: `It says ${secret}.` });
    await stage.mend(steps('sh need ready'));
    for (const args of [['why'], ['why', '--json']]) {
      const { stdout } = await stage.run(args);
      expect(stdout).toContain('It says');
      expect(stdout).not.toContain(secret);
    }
    expect(JSON.stringify(stage.asked()), 'nor is the brain told').not.toContain(secret);
  });

  it('says so where nothing had to be mended', async (test) => {
    const stage = openStage(test);
    await stage.mend(steps('true'));
    expect((await stage.run(['why'])).stdout).toMatch(/^Nothing had to be mended in run \w+\.\n$/);
    expect((await stage.run(['why', 'nosuchrun'])).code).toBe(2);
  });
});

describe('what mended a failure once', () => {
  it('mends the next like it, without the brain that found it; and is listed and forgotten', async (test) => {
    const stage = openStage(test);
    stage.answers(insert('touch ready'), null);
    expect((await stage.mend(steps('sh need ready'))).of('correction-success')).toHaveLength(1);
    rmSync(stage.path('ready'));
    const again = await stage.mend(steps('sh need ready'), [], { PLANWRIGHT_BRAIN_PROGRAM: '' });
    expect(again.code, again.stderr).toBe(0);
    expect(again.of('correction-attempt')[0]!.correction).toMatchObject({
      action: 'insert_steps',
      source: { brain: 'remembered' },
      fix: expect.any(String),
    });
    const fixes = JSON.parse((await stage.run(['memory', '--json'])).stdout);
    expect(JSON.stringify(fixes)).toContain('touch');
  });
});
