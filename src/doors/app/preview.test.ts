import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { initialRunState } from '../../core/contract/index.ts';
import { resolveAndJudge } from '../../world/actions/resolve/index.ts';
import { testPerformer } from '../../world/actions/testing.ts';
import { previewSteps } from './preview.ts';

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pw-preview-')));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

test('a step is shown with what the steps before it will have defined', async () => {
  const performer = testPerformer({
    judge: (action, place) =>
      resolveAndJudge(action, { ...place, baseEnv: {}, home: '/home/x', storeDir: '/store' }),
  });
  const commands = ['BUILD=out', 'mkdir -p $BUILD/x', 'tidy() { sudo rm -rf /etc; }', 'tidy'];
  const steps = commands.map((command, at) => ({
    id: `s${at}`,
    title: command,
    action: { kind: 'run-command' as const, command },
  }));
  const plan = { goal: 'g', shell: 'bash' as const, steps, revision: 0 };
  const state = { ...initialRunState, plan, workspace, session: { cwd: workspace, env: {} } };
  const shown = await previewSteps('r', state, performer);
  expect(shown[1]!.subject.paths).toEqual([join(workspace, 'out/x')]);
  expect(shown[3]!.verdict.level).toMatch(/dangerous|blocked/);
});
