import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inTerminal, plan, sitDown } from './terminal.ts';

inTerminal('what its sandbox refused', () => {
  it('is offered with exactly the missing grant', async (test) => {
    const outside = mkdtempSync(join(homedir(), '.planwright-outside-'));
    test.onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    const { bench, pane, type, ended } = sitDown(test, { env: { PLANWRIGHT_SANDBOX: 'all' } });
    bench.write('reach.sh', `touch ${outside}/made\n`);
    bench.write('plan.yaml', plan({ action: 'RUN_COMMAND sh reach.sh' }, { action: 'RUN_COMMAND true' }));
    type('run plan.yaml --yes');
    expect(await pane.until(/\/x:$/)).toContain('to write to');
    expect(existsSync(join(outside, 'made'))).toBe(false);
    pane.send('g');
    expect((await ended()).code).toBe(0);
    expect(existsSync(join(outside, 'made'))).toBe(true);
  });
});
