import { openCheckpoints, type UndoHooks } from '../../src/world/workspace/index.ts';

/**
 * Works on the checkpoints of a workspace in a process of its own, to be killed at a moment.
 *
 *   driver.ts take DIR WORKSPACE MOMENT                 takes one and dies at the named moment
 *   driver.ts many DIR WORKSPACE COUNT                  takes so many and prints their ids
 *   driver.ts undo DIR WORKSPACE NUMBER BEFORE AFTER    undoes and dies at the moment of that number
 *
 * An undo prints `begun ID` when it has begun, and its result when it lives to have one.
 */
const [work, dir = '', workspace = '', when = '', before = '', after = ''] = process.argv.slice(2);

const die = (): void => void process.kill(process.pid, 'SIGKILL');
const print = (text: string): boolean => process.stdout.write(`${text}\n`);

let moment = 0;
/** Each leaves something else behind. The checkpoints around an undo have a test of their own. */
const ofUndo = new Set(['restoring', 'temporary', 'renamed']);
const next = (name: string): void => {
  if (ofUndo.has(name)) moment += 1;
  if (work === 'undo' ? ofUndo.has(name) && moment === Number(when) : name === when) die();
};

const checkpoints = await openCheckpoints({ dir, workspace, onPoint: work === 'many' ? () => {} : next });
if (work === 'take') print((await checkpoints.take('killed')).id);
if (work === 'many')
  for (let at = 0; at < Number(when); at += 1) print((await checkpoints.take(`${process.pid} ${at}`)).id);
if (work === 'undo') {
  const journal: UndoHooks = {
    begun: async ({ id }) => print(`begun ${id}`) || true,
    restoring: async () => {
      next('restoring');
      return true;
    },
  };
  const plan = await checkpoints.planUndo({ before: { id: before }, after: { id: after } });
  print(JSON.stringify(await checkpoints.performUndo(plan, { journal })));
}
await checkpoints.close();
