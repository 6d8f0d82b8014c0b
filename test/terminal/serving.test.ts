import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { processesOf } from '../support/processes.ts';
import { inTerminal, plan, sitDown } from './terminal.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

inTerminal('a step that serves a port and does not end', () => {
  it('is asked about, becomes a service, and the run goes on to its end', async (test) => {
    const { bench, pane, type, ended, row } = sitDown(test);
    const port = await freePort();
    const server = `${process.execPath} -e "require('node:net').createServer().listen(${port}, '127.0.0.1')"`;
    bench.write(
      'plan.yaml',
      plan({ action: `RUN_COMMAND ${server}` }, { action: 'RUN_COMMAND touch after' }),
    );
    type('run plan.yaml --yes');
    await pane.until(/Step 1 of 2 serves port \d+ and will not end by itself[\s\S]*k\/w\/s:$/);
    expect(existsSync(bench.path('after'))).toBe(false);
    pane.send('k');
    const { code, screen } = await ended();
    expect(code, screen).toBe(0);
    expect(existsSync(bench.path('after'))).toBe(true);
    const { id } = await row();
    expect(processesOf(id)).toEqual([]);
  });
});
