import { describe, expect, it } from 'vitest';
import type { Correction } from '../../core/contract/index.ts';
import { advising, failedWith, insertOf, modifyTo, play } from '../../core/run/testing/play.ts';
import type { Brain, BrainContext, Failure } from './brain.ts';
import { createMind } from './consult.ts';
import { createInMemoryFixes } from './memory/testing.ts';

/** A brain that answers in turn, and keeps what it was told. */
function listening(...answers: (Correction | null)[]) {
  const told: { failure: Failure; context: BrainContext }[] = [];
  const brain: Brain = {
    async analyzeFailure(failure, context) {
      return answers[Math.min(told.push({ failure, context }), answers.length) - 1] ?? null;
    },
  };
  return { brain, told };
}

const never = new AbortController().signal;

describe('what a brain is told', () => {
  it('the failure, what comes later, what was tried before and what was refused, and why', async () => {
    const { brain, told } = listening(
      modifyTo('make worse'),
      modifyTo('make || true'),
      modifyTo('rm -rf /'),
      null,
    );
    const { consult } = createMind({ brain });
    await play({
      commands: ['one', 'make', 'three'],
      attempt: (command) => (command === 'one' ? 0 : 2),
      consult,
    });
    expect(told[0]).toMatchObject({
      failure: {
        step: { title: 'make', action: { command: 'make' } },
        result: { exitCode: 2, stderrTail: 'make says 2', why: 'exit-code' },
        earlier: [],
        cwd: '/w',
        shell: 'bash',
        goal: 'g',
      },
      context: { later: ['RUN_COMMAND three'], refused: [] },
    });
    expect(told[0]!.context.history).toContain('one');
    expect(told[1]!.failure.earlier).toMatchObject([
      {
        action: 'RUN_COMMAND make',
        stderrTail: 'make says 2',
        correction: { modifiedCommand: 'make worse' },
      },
    ]);
    expect(told[3]!.context.refused).toMatchObject([
      { correction: { modifiedCommand: 'make worse' } },
      { correction: { modifiedCommand: 'make || true' }, reason: 'It hides a failure.' },
      { correction: { modifiedCommand: 'rm -rf /' } },
    ]);
  });

  it('where the step was attempted: in its own folder, with its own variables; repairs are made there too', async () => {
    const { brain, told } = listening(insertOf('mkdir out'), null);
    const { state } = await play({
      commands: ['make'],
      each: { cwd: 'sub', env: { STAGE: 'test' } },
      attempt: (command, at) => (command === 'make' && at === 0 ? 2 : 0),
      consult: createMind({ brain }).consult,
    });
    expect(told[0]!.failure).toMatchObject({ cwd: '/w/sub', env: { STAGE: 'test' } });
    const [repair] = state.plan!.steps;
    expect(repair).toMatchObject({ repairs: 's1', cwd: 'sub', env: { STAGE: 'test' } });
    expect(state.session.cwd).toBe('/w');
  });

  it('the last hint for this step', async () => {
    const { brain, told } = listening(null);
    const hints = ['first', 'second'];
    await play({
      commands: ['make'],
      attempt: () => 2,
      consult: createMind({ brain }).consult,
      people: () => {
        const text = hints.shift();
        return text === undefined ? null : { type: 'hint-requested', stepId: 's1', text };
      },
    });
    expect(told.map(({ context }) => context.hint)).toEqual([undefined, 'first', 'second']);
  });
});

describe('what comes of its answer', () => {
  it('an objection goes with it: refused, counted', async () => {
    const { brain } = listening(modifyTo('make || true'), null);
    const { of } = await play({
      commands: ['make'],
      attempt: () => 2,
      consult: createMind({ brain }).consult,
    });
    expect(of('correction-attempt')).toMatchObject([{ objection: { code: 'purpose' } }]);
    expect(of('correction-refused')).toMatchObject([{ code: 'purpose' }]);
  });

  it('a brain that throws has broken, and the run says so', async () => {
    const brain: Brain = { analyzeFailure: () => Promise.reject(new Error('out of ideas')) };
    const { of } = await play({
      commands: ['make'],
      attempt: () => 2,
      consult: createMind({ brain }).consult,
    });
    expect(of('agent-error')).toMatchObject([{ message: 'the brain broke: out of ideas' }]);
  });
});

describe('what is remembered', () => {
  const failed = failedWith('mkdir: cannot create directory ‘a/b’: No such file or directory');
  const mended = async (outcome: 'success' | 'same-failure' | 'other-failure') => {
    const memory = createInMemoryFixes();
    const { learn } = createMind({ brain: listening(null).brain, memories: [memory] });
    const { state } = await play({
      commands: ['mkdir a/b'],
      attempt: (_, at) => (at === 0 ? failed : 0),
      consult: advising(modifyTo('mkdir -p a/b')),
    });
    await learn(state.corrections[0]!, outcome, never);
    return memory;
  };

  it('a correction that helped, and no other', async () => {
    expect(await (await mended('success')).list()).toHaveLength(1);
    expect(await (await mended('same-failure')).list()).toEqual([]);
    expect(await (await mended('other-failure')).list()).toEqual([]);
  });

  it('a replaced command without a promise that held stays in its folder; with one, it is bound to that', async () => {
    const [here, everywhere] = [createInMemoryFixes(), createInMemoryFixes()];
    const { learn } = createMind({ brain: listening(null).brain, memories: [here, everywhere] });
    const { state } = await play({
      commands: ['mkdir a/b'],
      attempt: (_, at) => (at === 0 ? failed : 0),
      consult: advising(modifyTo('mkdir -p a/b')),
    });
    const [known] = state.corrections;
    await learn(known!, 'success', never);
    expect([here.list().length, everywhere.list().length]).toEqual([1, 0]);
    await learn({ ...known!, step: { ...known!.step, expects: 'dir exists a/b' } }, 'success', never);
    expect(everywhere.list()).toMatchObject([{ general: { proof: 'dir-exists' } }]);
  });

  it('what a person let become something else is not', async () => {
    const memory = createInMemoryFixes();
    const { learn } = createMind({ brain: listening(null).brain, memories: [memory] });
    const { state } = await play({
      commands: ['deploy prod'],
      attempt: (_, at) => (at === 0 ? failed : 0),
      consult: advising(modifyTo('deploy staging')),
    });
    await learn(state.corrections[0]!, 'success', never);
    expect(memory.list()).toEqual([]);
  });

  it('a memory that fails is no failure of the run', async () => {
    const memory = createInMemoryFixes();
    const broken = { ...memory, remember: () => Promise.reject(new Error('disk full')) };
    const { learn } = createMind({ brain: listening(null).brain, memories: [broken] });
    const { state } = await play({
      commands: ['mkdir a/b'],
      attempt: (_, at) => (at === 0 ? failed : 0),
      consult: advising(insertOf('mkdir a')),
    });
    await expect(learn(state.corrections[0]!, 'success', never)).resolves.toBeUndefined();
  });
});

describe('that nobody could mend it', () => {
  it('names whoever could not be asked, once each; that brains are not sure is no trouble', async () => {
    const brain: Brain = {
      async analyzeFailure(_failure, context) {
        context.noteTrouble?.('openai/big refused its key (401: no such key)');
        context.noteTrouble?.('openai/big refused its key (401: no such key)');
        return null;
      },
    };
    const { of } = await play({
      commands: ['fail'],
      attempt: () => 1,
      consult: createMind({ brain }).consult,
    });
    const [error] = of('agent-error');
    expect(error?.message).toMatch(/no brain is sure.*refused its key \(401: no such key\)$/);
    const { brain: unsure } = listening(null);
    const quiet = await play({
      commands: ['fail'],
      attempt: () => 1,
      consult: createMind({ brain: unsure }).consult,
    });
    expect(quiet.of('agent-error')[0]?.message).toBe('no brain is sure how to mend it');
  });
});
