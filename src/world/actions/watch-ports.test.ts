import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { watchPorts } from './watch-ports.ts';

test.runIf(process.platform === 'linux')(
  'the port that a group goes on listening on is told, once',
  async () => {
    const code =
      "const s = require('node:net').createServer().listen(0, () => console.log(s.address().port))";
    const child = spawn(process.execPath, ['-e', code], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [said] = await once(child.stdout!, 'data');
      const told: number[][] = [];
      const first = Promise.withResolvers<void>();
      const stop = watchPorts(
        child.pid!,
        (ports) => {
          told.push(ports);
          first.resolve();
        },
        5,
      );
      await first.promise;
      stop();
      expect(told).toEqual([[Number(String(said))]]);
    } finally {
      child.kill('SIGKILL');
    }
  },
);
