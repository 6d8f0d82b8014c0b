import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCodes, loadPlan, openApp } from '../../app/index.ts';
import { atMost, type Command } from '../command.ts';
import { isAttended, note } from '../context.ts';
import { startAndAttend } from './run.ts';

const SAMPLE = fileURLToPath(new URL('../../../../examples/demo', import.meta.url));

export const command: Command = {
  usage: '[options]',
  options: { json: { type: 'boolean', about: 'Print every event as a line of JSON' } },
  async run(context, given) {
    atMost(given, 0, `demo ${command.usage}`);
    const workspace = mkdtempSync(join(tmpdir(), 'planwright-demo-'));
    cpSync(SAMPLE, workspace, { recursive: true });
    const { env } = context;
    const loaded = await loadPlan({ path: 'plan.yaml', cwd: workspace, env, workspace });
    if (!loaded.ok) throw new Error('the sample plan is not valid');
    const app = await openApp({ env, cwd: workspace });
    try {
      const choice = { attended: isAttended(context), excluded: [], inputs: {} };
      const code = await startAndAttend(app, context, loaded.plan, choice, given);
      if (code === exitCodes.done) note(context, `The result is in ${workspace}. Next: planwright help`);
      return code;
    } finally {
      await app.close();
    }
  },
};
