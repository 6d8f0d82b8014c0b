import { writeSync } from 'node:fs';
import { stepOf, testPerformer } from '../../src/world/actions/testing.ts';
import { createOutput } from '../../src/world/store/output/output.ts';
import { act, actionOf } from './lines.ts';

/**
 * A driver that is made to fail: performs one action in a process of its own and dies at a named moment. Usage:
 * driver.ts MOMENT WORKSPACE LOGS LINE [EXPECTS]. Prints what was prepared, the group that was started, the result.
 *
 *   prepared   killed when the changes are durable and nothing is changed yet
 *   changed    killed when everything is changed, before anybody is told
 *   spawned    killed when the process group is durable and nothing runs yet
 *   never      lives on; whoever started it kills it
 */
const [moment, workspace = '', logs = '', line = '', expects] = process.argv.slice(2);
const print = (value: unknown): void => void writeSync(1, `${JSON.stringify(value)}\n`);
const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
};
const files = createOutput(logs);
const output: typeof files = {
  ...files,
  writer: (...args) => (moment === 'changed' ? die() : files.writer(...args)),
};

const [result] = await act(testPerformer({ output }), workspace, line, {
  run: `crash-${logs}`,
  step: stepOf(actionOf(line), expects === undefined ? {} : { expects }),
  prepared: (changes) => {
    print(changes);
    return moment === 'prepared' ? die() : true;
  },
  spawned: (group) => {
    print(group);
    return moment === 'spawned' ? die() : true;
  },
});
print(result);
setInterval(() => {}, 1_000);
