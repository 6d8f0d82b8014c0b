import { expect, test } from 'vitest';
import { command, dangerous, docsPlan, makePlan, printAction } from '../../../core/contract/told/testing.ts';
import { renderPlan } from './plan.ts';
import { createStyle } from './style.ts';
import { displayWidth } from './text/width.ts';

const style = createStyle({ env: { LANG: 'C.UTF-8' }, isTTY: false });
const look = { style, printAction, width: 60 };

test('each step shows what it does, promises and needs, and where it is written', () => {
  const plan = { ...docsPlan(), mode: 'teacher' as const };
  plan.steps = [
    plan.steps[1]!,
    { ...plan.steps[4]!, after: ['s2'], timeoutMs: 90_000, cwd: 'site' },
    plan.steps[8]!,
  ];
  const verdictOf = ({ id }: { id: string }) => (id === 's5' ? dangerous : undefined);
  expect(renderPlan(plan, { ...look, width: 64, verdictOf }).join('\n')).toBe(
    ` Build the docs site, serve it on 8080 and check every page
 3 steps · teacher mode · bash

 1  Install dependencies                       docs.plan.yaml:8
    RUN_COMMAND npm ci --no-audit --no-fund
    expects  dir exists node_modules
    ↶ undo   RUN_COMMAND rm -rf node_modules

 2  Publish into build/                       docs.plan.yaml:19
    RUN_COMMAND cp -r out/. build/ && ./scripts/fingerprint.sh
    build/assets
    in       site
    after    step 1
    timeout  1m 30s
    ▲ dangerous: Deletes files.
    ▲ cannot be undone

 3  Tell the docs channel by hand             docs.plan.yaml:36
    RUN_COMMAND cat report.md
    ◆ interactive: needs you at the terminal`,
  );
});

test('a plan that somebody decides on has its facts above, and kind and time with each step', () => {
  const plan = docsPlan();
  plan.steps = [plan.steps[1]!];
  const [step] = plan.steps;
  const proposed = {
    intent: plan.goal,
    level: 'caution' as const,
    time: { ms: 30_000, isKnown: false },
    files: ['a'],
    steps: [
      {
        stepId: step!.id,
        title: step!.title,
        kind: 'TEST' as const,
        time: { ms: 30_000, isKnown: false },
        level: null,
      },
    ],
  };
  const text = renderPlan(plan, { ...look, width: 100, proposed }).join('\n');
  expect(text).toContain(`[TEST] ${step!.title} (about 30 s)`);
  expect(text.replace(/\s+/g, ' ')).toMatch(
    /Risk level: caution.*Estimated duration: about 30 s.*Files affected: 1/,
  );
  expect(renderPlan(plan, look).join('\n')).not.toContain('[TEST]');
});

test('variables and further attempts are shown, and of a long why what stands last', () => {
  const plan = docsPlan();
  const why = `${'The page tells a long story. '.repeat(30)}And then there is something to do that takes a moment or two, which is this:`;
  plan.steps = [{ ...plan.steps[1]!, env: { CI: '1' }, retry: { times: 2, delayMs: 5000 }, why }];
  const text = renderPlan(plan, { ...look, width: 100 })
    .join('\n')
    .replace(/\s+/g, ' ');
  expect(text).toContain('with CI=1');
  expect(text).toContain('retry 2 times, after 5.0 s');
  expect(text).toMatch(/why … The page tells a long story\. .*which is this:/);
  expect(text.length).toBeLessThan(700);
});

test('steps that are left out say so', () => {
  const lines = renderPlan(docsPlan(), { ...look, excluded: ['s1'] });
  expect(lines.filter((line) => line.includes('not selected, will not run'))).toHaveLength(1);
});

test('an action that tries to hide is shown as it is', () => {
  const plan = makePlan('x', [{ title: 'a\x1b[2K', action: command('ls \u202e\x1b[8m; rm -rf ~') }]);
  const text = renderPlan(plan, look).join('\n');
  expect(text).toContain('a\\x1b[2K');
  expect(text).toContain('RUN_COMMAND ls \\u{202e}\\x1b[8m; rm -rf ~');
});

test('no line is wider than the terminal; in a pipe none is cut or wrapped', () => {
  const long = `echo ${'word '.repeat(60)}end`;
  const plan = makePlan('goal '.repeat(40), [
    { title: 'title '.repeat(40), action: command(long), expects: long },
  ]);
  for (const width of [20, 40, 80, 200]) {
    for (const line of renderPlan(plan, { ...look, width }))
      expect(displayWidth(line)).toBeLessThanOrEqual(width);
  }
  expect(renderPlan(plan, { ...look, width: Number.POSITIVE_INFINITY })).toContain(`    RUN_COMMAND ${long}`);
});
