import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { judgeInTurn } from '../../risk/index.ts';
import { parsePlanFile } from '../file/parse.ts';
import { fillPlan } from './fill-plan.ts';

function planIn(text: string) {
  const read = parsePlanFile(text, { file: 'plan.yaml' });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.plan;
}

const written = `goal: g
inputs:
  - name: folder
    default: a b
  - name: token
    default: hidden
    secret: true
  - name: later
    default: x
  - nobody
plan:
  - step: use
    action: RUN_COMMAND tar -C {folder} -x {token} {nobody}
    expects: file exists {folder}/x
    undo: DELETE_PATH {folder}
    env: { WHERE: "{folder}" }
  - step: make
    action: ASK "Which?" AS later
  - step: quoted
    action: RUN_COMMAND echo "{folder}" {later}
`;

test('a plan is shown with the values of its inputs, but for secrets, what is made later and what cannot be put in', () => {
  const [use, , quoted] = fillPlan(planIn(written), {}).steps;
  expect(use).toMatchObject({
    action: { command: "tar -C 'a b' -x {token} {nobody}" },
    expects: 'file exists a b/x',
    undo: { path: 'a b' },
    env: { WHERE: 'a b' },
  });
  expect(quoted).toMatchObject({ action: { command: 'echo "{folder}" {later}' } });
  const given = fillPlan(planIn(written), { folder: 'c', nobody: 'me' }).steps[0];
  expect(given).toMatchObject({ action: { command: "tar -C 'c' -x {token} 'me'" } });
});

test('the template python-venv, with its values, asks nobody', () => {
  const text = readFileSync(new URL('../../../../templates/python-venv.yaml', import.meta.url), 'utf8');
  const { steps } = fillPlan(planIn(text), {});
  const place = { workspace: '/w', cwd: '/w', home: '/home/u', venv: false };
  expect(judgeInTurn(steps, place).map(({ level }) => level)).not.toContain('dangerous');
});
