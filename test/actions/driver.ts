import { writeSync } from 'node:fs';
import { testPerformer } from '../../src/world/actions/testing.ts';
import { act } from './lines.ts';

/**
 * A driver that is made to fail: performs one action in a process of its own and dies at a named moment. Usage:
 * driver.ts MOMENT WORKSPACE LINE. Prints what was prepared.
 *
 *   prepared   killed when the changes are durable and nothing is changed yet
 *   changed    killed when everything is changed, before anybody is told
 *   never      lives on; whoever started it kills it
 */
const [moment, workspace = '', line = ''] = process.argv.slice(2);
const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
};
const output = {
  writer: () => {
    if (moment === 'changed') die();
    return { write: () => {}, end: () => {} };
  },
};

await act(testPerformer({ output }), workspace, line, {
  run: 'crash',
  prepared: (changes) => {
    writeSync(1, `${JSON.stringify(changes)}\n`);
    if (moment === 'prepared') die();
    return true;
  },
});
