import { describe, expect, it } from 'vitest';
import { eventually } from '../support/processes.ts';
import { insert, modify, openStage, retry, type Stage, steps } from './stage.ts';

const needy = steps('sh need ready', 'echo after >> log');

/** A run that used up its attempts. */
async function stuck(stage: Stage, ...more: object[]): Promise<void> {
  stage.answers(
    modify('sh need ready one'),
    modify('sh need ready two'),
    modify('sh need ready three'),
    ...more,
  );
  const told = await stage.mend(needy);
  expect(told, told.stderr).toMatchObject({ code: 4, last: { reason: 'agent-stuck' } });
}

describe('a stuck run goes on', () => {
  it('by a hint: the brain is told it, and asked once more', async (test) => {
    const stage = openStage(test);
    await stuck(stage, insert('touch ready'));
    const ended = await stage.run(['hint', 'touch the file'], stage.env);
    expect(ended.code, ended.stderr).toBe(0);
    expect(stage.asked().at(-1)!.context.hint).toBe('touch the file');
    expect(stage.read('log')).toBe('after\n');
  });

  it('by a hint when the corrections are used up: one more each', async (test) => {
    const stage = openStage(test);
    stage.answers(modify('sh need ready one'), insert('touch ready'));
    const told = await stage.mend(needy, [], { PLANWRIGHT_LIMITS_CORRECTIONS: '1' });
    expect(told.of('agent-stuck')).toMatchObject([{ limit: 'corrections', used: 1, max: 1 }]);
    expect((await stage.run(['hint', 'touch it'], stage.env)).code).toBe(0);
    expect(stage.asked()).toHaveLength(2);
  });

  it('by resume with a raised limit; without one it is stuck again after one attempt', async (test) => {
    const stage = openStage(test);
    await stuck(stage, insert('touch ready'));
    const again = await stage.told(['resume', '--json']);
    expect(again.code).toBe(4);
    expect(again.of('step-started')).toHaveLength(1);
    expect(stage.asked()).toHaveLength(3);
    const raised = await stage.told(['resume', '--retries', '6', '--json']);
    expect(raised.code, raised.stderr).toBe(0);
    expect(stage.asked()).toHaveLength(4);
  });

  it('by skip', async (test) => {
    const stage = openStage(test);
    await stuck(stage);
    expect((await stage.run(['skip', '--reason', 'not today'], stage.env)).code).toBe(6);
    expect(stage.read('log')).toBe('after\n');
  });

  it('by retry, once the person has put it right', async (test) => {
    const stage = openStage(test);
    await stuck(stage);
    stage.write('ready', '');
    const ended = await stage.run(['retry'], stage.env);
    expect(ended.code, ended.stderr).toBe(0);
    expect(stage.read('log')).toBe('after\n');
  });

  it('by cancel, it is over', async (test) => {
    const stage = openStage(test);
    await stuck(stage);
    expect((await stage.run(['cancel'], stage.env)).code).toBe(0);
    expect(await stage.row()).toMatchObject({ state: 'cancelled', stopReason: 'cancelled' });
  });
});

describe('in the middle of it', () => {
  it('a change to planner mode: what is proposed is not applied', async (test) => {
    const stage = openStage(test);
    stage.answers({
      sh: `until [ -f '${stage.workspace}/go' ]; do sleep 0.05; done; echo '${JSON.stringify(insert('touch ready'))}'`,
    });
    stage.write('plan.yaml', needy);
    const running = stage.start(['run', 'plan.yaml', '--mode', 'agentic', '--yes', '--json'], stage.env);
    await running.says('agent-thinking');
    const change = stage.run(['mode', 'planner'], stage.env);
    await running.says('mode-requested');
    stage.write('go', '');
    expect((await change).code).toBe(0);
    const ended = await running.ended;
    expect(ended.code, ended.stderr).toBe(1);
    expect(ended.stdout).not.toContain('plan-revised');
    expect(await stage.row()).toMatchObject({ state: 'failed', stopReason: 'step-failed', mode: 'planner' });
  });

  it('cancel while the brain is at it: it is stopped at once', async (test) => {
    const stage = openStage(test);
    stage.answers({ sh: 'sleep 300' });
    stage.write('plan.yaml', needy);
    const running = stage.start(['run', 'plan.yaml', '--mode', 'agentic', '--yes', '--json'], stage.env);
    await running.says('agent-thinking');
    expect((await stage.run(['cancel'], stage.env)).code).toBe(0);
    expect((await running.ended).code).toBe(1);
    expect(await stage.row()).toMatchObject({ state: 'cancelled' });
  });

  it('skip of the step while the brain is at it', async (test) => {
    const stage = openStage(test);
    stage.answers({ sh: 'sleep 300' });
    stage.write('plan.yaml', needy);
    const running = stage.start(['run', 'plan.yaml', '--mode', 'agentic', '--yes', '--json'], stage.env);
    await running.says('agent-thinking');
    const skipped = await stage.run(['skip', '--step', '1'], stage.env);
    expect((await running.ended).code, skipped.stderr).toBe(6);
    expect(stage.read('log')).toBe('after\n');
  });

  it('what passes by itself is waited for, more than once', async (test) => {
    const stage = openStage(test);
    stage.answers(retry({ delayMs: 300 }), retry({ delayMs: 300 }), {
      sh: `touch '${stage.workspace}/ready'; echo '${JSON.stringify(retry({ delayMs: 300 }))}'`,
    });
    const told = await stage.mend(needy);
    expect(told.code, told.stderr).toBe(0);
    const again = told.of('retry-attempt');
    expect(again).toHaveLength(3);
    const starts = told
      .of('step-started')
      .filter(({ stepId }) => stepId === 's1')
      .slice(1);
    for (const [at, { notBefore }] of again.entries()) {
      expect(starts[at]!.at).toBeGreaterThanOrEqual(notBefore!);
    }
  });

  it('a loop that is mended in the middle goes on at the failed item', async (test) => {
    const stage = openStage(test);
    stage.answers(insert('touch b.ok'));
    for (const name of ['a', 'b', 'c']) stage.write(`${name}.txt`, '');
    stage.write(
      'each',
      'f="${1%.txt}"; echo "${f##*/}" >> log; [ "${f##*/}" = b ] && [ ! -f b.ok ] && exit 9; exit 0\n',
    );
    const told = await stage.mend(
      steps({ action: 'LIST_FILES *.txt AS all' }, { action: 'FOR_EACH all DO RUN_COMMAND sh each {item}' }),
    );
    expect(told.code, told.stderr).toBe(0);
    expect(stage.read('log')).toBe('a\nb\nb\nc\n');
    expect(told.of('item-completed').map(({ item }) => item)).toEqual([0, 1, 2]);
  });

  it('a loop whose command is mended goes on at the failed item too', async (test) => {
    const stage = openStage(test);
    stage.answers(modify('sh each {item} b'));
    for (const name of ['a', 'b', 'c']) stage.write(`${name}.txt`, '');
    stage.write(
      'each',
      'f="${1%.txt}"; echo "${f##*/}" >> log; [ "${f##*/}" = b ] && [ "$2" != b ] && exit 9; exit 0\n',
    );
    const told = await stage.mend(
      steps({ action: 'LIST_FILES *.txt AS all' }, { action: 'FOR_EACH all DO RUN_COMMAND sh each {item}' }),
    );
    expect(told.code, told.stderr).toBe(0);
    expect(stage.read('log')).toBe('a\nb\nb\nc\n');
  });

  it('killed while the brain is at it: resumed, it is asked anew', async (test) => {
    const stage = openStage(test);
    stage.answers({ sh: 'sleep 300' }, insert('touch ready'));
    stage.write('plan.yaml', needy);
    const running = stage.start(['run', 'plan.yaml', '--mode', 'agentic', '--yes', '--json'], stage.env);
    await running.says('agent-thinking');
    await eventually(() => stage.asked().length === 1, 'the brain is asked');
    running.child.kill('SIGKILL');
    await running.ended;
    expect(await stage.row()).toMatchObject({ state: 'recovering' });
    const worked = await stage.run(['worker'], stage.env);
    expect(worked.code, worked.stderr).toBe(0);
    expect(await stage.row()).toMatchObject({ state: 'done' });
    expect(stage.asked()).toHaveLength(2);
  });
});
