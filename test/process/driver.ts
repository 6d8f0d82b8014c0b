import { openSync } from 'node:fs';
import { perform, stepOf, testPerformer } from '../../src/world/actions/testing.ts';
import { readProcess } from '../../src/world/process/process-table.ts';

/**
 * A driver that is made to fail: it performs one command in a process of its own and dies, or starves, at a
 * named moment. Usage: driver.ts MOMENT RUN COMMAND. Prints the process group, and the result if it comes to one.
 *
 *   at-gate   killed while the command waits at the gate
 *   opening   killed as soon as the gate is opened: a long script is only half-way through
 *   never     lives on; whoever started it kills it
 *   starved   has no file descriptor left to start a process with
 *
 * With `-small` behind it, it is a small spawner that starts the command.
 */
const [named = '', run, command = ''] = process.argv.slice(2);
const moment = named.replace('-small', '');

if (moment === 'starved') {
  try {
    for (;;) openSync('/dev/null', 'r');
  } catch {
    // Now there is none.
  }
}

for (let isSmall = moment === named; !isSmall; )
  await perform({
    performer: testPerformer(),
    step: stepOf('true'),
    spawned: ({ pgid }) => {
      isSmall = readProcess(pgid)?.ppid !== process.pid;
      return true;
    },
  });

const die = (): void => void process.kill(process.pid, 'SIGKILL');

const result = await perform({
  performer: testPerformer(),
  step: stepOf(
    command.startsWith('@') ? `${command.slice(1)}\n${`# ${'x'.repeat(78)}\n`.repeat(50_000)}` : command,
  ),
  ...(run === undefined ? {} : { run }),
  spawned: (group) => {
    process.stdout.write(`${JSON.stringify(group)}\n`);
    if (moment === 'at-gate') return new Promise(() => {});
    // The gate is opened in the microtask that follows; the rest of a long script waits for the next turn.
    if (moment === 'opening') setImmediate(die);
    return true;
  },
});
process.stdout.write(`${JSON.stringify(result)}\n`);
