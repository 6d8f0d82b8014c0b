import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { expectLinear } from '../../../../test/support/growth.ts';
import type { SimpleAction, SingleAction, Step, Value, Verdict } from '../../../core/contract/index.ts';
import { judgeAction } from '../../../core/risk/index.ts';
import type { JudgeWork } from '../../../core/run/index.ts';
import type { VerdictPort } from '../ports.ts';
import { caution, perform, performAll, stepOf, testPerformer } from '../testing.ts';

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pw-judging-')));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const workOf = (step: Step, values: Record<string, Value> = {}): JudgeWork => ({
  run: 'r',
  revision: 0,
  step,
  session: { cwd: workspace, env: {} },
  workspace,
  shell: 'bash',
  values,
  items: step.action.kind === 'for-each' ? (values[step.action.list] as string[]) : null,
  grants: null,
  unseen: false,
  earlier: [],
});
const judge = (port: VerdictPort, step: Step, values: Record<string, Value> = {}) =>
  testPerformer({ judge: port }).judge(workOf(step, values), new AbortController().signal);
/** The command without the quotes that values are given. */
const textOf = (action: SingleAction): string =>
  (action as Extract<SimpleAction, { kind: 'run-command' }>).command.replaceAll("'", '');
const each = (command: string, list = 'all'): Step =>
  stepOf({ kind: 'for-each', list, do: { kind: 'run-command', command } });

test('what is judged is what would be run, values in place', async () => {
  const seen: SingleAction[] = [];
  const port: VerdictPort = (action) => {
    seen.push(action);
    return caution;
  };
  const { subject } = await judge(port, stepOf('echo {name}'), { name: 'a; touch INJ' });
  expect(seen).toEqual([{ kind: 'run-command', command: "echo 'a; touch INJ'" }]);
  expect(subject.action).toEqual(seen[0]);
});

test('a value that does not fit blocks the step, and says why', async () => {
  const { verdict } = await judge(() => caution, stepOf('echo "{name}"'), { name: 'x' });
  expect(verdict).toMatchObject({ level: 'blocked', reasons: [{ rule: 'value-refused' }] });
  const list = await judge(() => caution, stepOf('echo {all}'), { all: ['x'] });
  expect(list.verdict.reasons[0]?.sentence).toBe('`{all}` is a list. Go through it with FOR_EACH.');
});

test('why not all paths are known is part of what is approved, of a loop too', async () => {
  const port: VerdictPort = (action) => ({
    ...caution,
    level: 'dangerous',
    unknownPaths: `What ${textOf(action).slice(-1)} is.`,
  });
  expect((await judge(port, stepOf('echo a'))).subject.unknownPaths).toBe('What a is.');
  const { subject, verdict } = await judge(port, each('echo {item}'), { all: ['x', 'y', 'x'] });
  expect(subject.unknownPaths).toBe('What x is. What y is.');
  expect(verdict.unknownPaths).toBe(subject.unknownPaths);
});

test('a loop is as bad as its worst item, with few reasons and all needs', async () => {
  const port: VerdictPort = (action) => {
    const command = textOf(action);
    const reasons = [{ rule: 'r', level: 'caution' as const, sentence: command, span: [0, 1] as [0, 1] }];
    const bad: Verdict = { ...caution, level: 'dangerous', needs: ['network'], reversible: false, reasons };
    return command.endsWith('7') ? bad : { ...caution, reasons, paths: [command.slice(5)] };
  };
  const items = Array.from({ length: 20 }, (_, at) => `i${at}`);
  const { verdict, subject } = await judge(port, each('echo {item}'), { all: items });
  expect(verdict).toMatchObject({ level: 'dangerous', needs: ['network'], reversible: false });
  expect(verdict.reasons).toHaveLength(3);
  expect(verdict.reasons[0]).not.toHaveProperty('span');
  expect(subject.paths).toHaveLength(18);
  expect(subject.paths).toEqual([...subject.paths].sort());
  expect(subject.action).toEqual(each('echo {item}').action);
  const other = await judge(port, each('echo {item}'), { all: [...items, 'more'] });
  expect(other.subject.items).not.toBe(subject.items);
});

test('paths beyond those shown are bound all the same', async () => {
  const items = Array.from({ length: 300 }, (_, at) => `p${String(at).padStart(3, '0')}`);
  let moved = '';
  const port: VerdictPort = (action) => {
    const name = textOf(action).slice(5);
    return { ...caution, paths: [name === 'p299' ? name + moved : name] };
  };
  const before = await judge(port, each('echo {item}'), { all: items });
  moved = '-moved';
  const after = await judge(port, each('echo {item}'), { all: items });
  expect(after.subject.paths).toEqual(before.subject.paths);
  expect(after.subject.items).not.toBe(before.subject.items);
});

test('a value that reads {item} is not filled a second time', async () => {
  const [result] = await performAll({
    performer: testPerformer(),
    step: each('echo {word} {item}'),
    values: { word: '{item}', all: ['a b'] },
  });
  expect(result?.stdoutTail).toBe('{item} a b\n');
});

test('each item gets its own turn, number and promise', async () => {
  const step = each('echo {index:03d} {item} > {item}.txt');
  const results = await performAll({
    performer: testPerformer(),
    step: { ...step, expects: 'file {item}.txt contains "{index}"' },
    workspace,
    values: { all: ['a', 'b c'] },
  });
  expect(results.map(({ expectation }) => expectation?.sentence)).toEqual([
    'file a.txt contains "0"',
    'file b c.txt contains "1"',
  ]);
});

test('an item that came to touch another path is not run', async () => {
  const link = join(workspace, 'turning');
  for (const name of ['one', 'two']) mkdirSync(join(workspace, name));
  symlinkSync('one', link);
  const performer = testPerformer({ judge: () => ({ ...caution, paths: ['turning/file'] }) });
  const meanwhile = () => {
    rmSync(link);
    symlinkSync('two', link);
    return undefined;
  };
  const step = each('touch turning/file # {item}');
  const results = await performAll({ performer, step, workspace, values: { all: ['a', 'b'] }, meanwhile });
  const message = `not started: ${workspace}/two/file was not among the paths that were judged`;
  expect(results).toMatchObject([{ why: 'blocked', message }]);
  expect(existsSync(join(workspace, 'two/file'))).toBe(false);
});

test('what has become riskier since it was judged is not run, in a loop and alone', async () => {
  for (const step of [each('echo {item}'), stepOf('echo')]) {
    let asked = 0;
    const reasons = [{ rule: 'r', level: 'dangerous' as const, sentence: 'It turned.' }];
    const port = () => (asked++ === 0 ? caution : { ...caution, level: 'dangerous' as const, reasons });
    const result = await perform({ performer: testPerformer({ judge: port }), step, values: { all: ['a'] } });
    expect(result).toMatchObject({
      why: 'blocked',
      message: 'not started: it is judged dangerous now, and was caution before: It turned.',
    });
  }
});

test('other items than were judged are not run', async () => {
  const result = await perform({
    performer: testPerformer(),
    step: each('echo {item}'),
    values: { all: ['a'] },
    meanwhile: (state) => ({
      ...state,
      steps: [{ ...state.steps.at(0)!, loop: { items: ['b'], count: 1, done: 0 } }],
    }),
  });
  expect(result).toMatchObject({
    why: 'blocked',
    message: 'not started: its items are no longer what was judged',
  });
});

test('10,000 items are judged, each once, in time that grows with their number', async () => {
  const items = Array.from({ length: 10_000 }, (_, at) => join(workspace, `src/file-${at}.ts`));
  let judged = 0;
  const port: VerdictPort = (action, place) => {
    judged += 1;
    return judgeAction(action, { workspace: place.workspace, cwd: place.session.cwd });
  };
  const step = each('wc -l {item}');
  const { verdict, subject } = await expectLinear(items.length, (count) => {
    judged = 0;
    return judge(port, step, { all: items.slice(0, count) });
  });
  expect(verdict.level).toBe('safe');
  expect(subject.paths.length).toBeLessThanOrEqual(200);
  expect(judged).toBe(10_000);
});

test('an item is judged once more before it runs, and the others are not', async () => {
  let judged = 0;
  const performer = testPerformer({
    judge: () => {
      judged += 1;
      return caution;
    },
  });
  const items = Array.from({ length: 30 }, (_, at) => `i${at}`);
  const loop = stepOf({ kind: 'for-each', list: 'all', do: { kind: 'create-dir', path: 'made/{item}' } });
  const results = await performAll({ performer, step: loop, workspace, values: { all: items } });
  expect(results.map(({ why }) => why).filter((why) => why !== undefined)).toEqual([]);
  expect(results).toHaveLength(30);
  expect(judged).toBe(60);
});

test('what is proven to be as it was is not judged again before it runs; what is not, is', async () => {
  for (const isStill of [true, false]) {
    let judged = 0;
    const reasons = [{ rule: 'r', level: 'dangerous' as const, sentence: 'It turned.' }];
    const port: VerdictPort = (_, { proves }) => {
      judged += 1;
      proves?.(() => isStill);
      return judged === 1 ? caution : { ...caution, level: 'dangerous', reasons };
    };
    const result = await perform({ performer: testPerformer({ judge: port }), step: stepOf('true') });
    expect(judged).toBe(isStill ? 1 : 2);
    expect(result.why).toBe(isStill ? undefined : 'blocked');
  }
});

test('a proof holds for the work that was judged, for one attempt, and where its folder is still the same', async () => {
  let judged = 0;
  const port: VerdictPort = (_, { proves }) => {
    judged += 1;
    proves?.(() => true);
    return caution;
  };
  const count = async (meanwhile?: Parameters<typeof perform>[0]['meanwhile'], cwd?: string) => {
    judged = 0;
    const own = cwd === undefined ? {} : { workspace: cwd };
    await perform({
      performer: testPerformer({ judge: port }),
      step: stepOf('true'),
      ...own,
      ...(meanwhile && { meanwhile }),
    });
    return judged;
  };
  expect(await count()).toBe(1);
  expect(await count((state) => ({ ...state, values: { ...state.values } }))).toBe(2);
  expect(await count((state) => ({ ...state, session: { ...state.session } }))).toBe(2);
  const link = join(workspace, 'where');
  for (const name of ['here', 'there']) mkdirSync(join(workspace, name));
  symlinkSync('here', link);
  const turned = await count((state) => {
    rmSync(link);
    symlinkSync('there', link);
    return state;
  }, link);
  expect(turned).toBe(2);
});
