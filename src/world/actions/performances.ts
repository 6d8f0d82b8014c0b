import type { ActionOf, SimpleAction, SingleAction, StepResult } from '../../core/contract/index.ts';
import { failedResult, type Recovered } from '../../core/run/index.ts';
import { attemptCommand } from './attempt-command.ts';
import { attemptFile } from './files/attempt-file.ts';
import type { Prepare } from './files/change.ts';
import { prepareCreateDir } from './files/create-dir.ts';
import { prepareDelete } from './files/delete.ts';
import { prepareList } from './files/list.ts';
import { prepareRead } from './files/read.ts';
import { recoverFile } from './files/recover-file.ts';
import { prepareCopy, prepareMove } from './files/relocate.ts';
import { attemptTool, recoverTool } from './files/tool.ts';
import { prepareAppend, prepareEdit, prepareWrite } from './files/write.ts';
import { recoverAttempt } from './recover.ts';
import { attemptRestore } from './restore.ts';
import { recoverStart, recoverStop } from './services/recover-service.ts';
import { attemptStart } from './services/start.ts';
import { attemptStop } from './services/stop.ts';
import type { Attempt, Lost } from './tools.ts';

/** How one kind of action is done, and how one finds out how far it came. Nothing of it throws. */
interface PerformRow<A> {
  /**
   * What confines it where a correction made it what it is and no person has seen it: a sandbox; itself, because it
   * cannot reach beyond the workspace and the run; or nothing, and then it is asked for.
   */
  readonly heldBy: 'sandbox' | 'itself' | 'nothing';
  perform(action: A, attempt: Attempt): Promise<StepResult>;
  recover(action: A, lost: Lost): Promise<Recovered>;
}

const command = <A extends SingleAction>(script: (action: A) => string): PerformRow<A> => ({
  heldBy: 'sandbox',
  perform: (action, attempt) => attemptCommand(script(action), attempt),
  recover: (_, lost) => recoverAttempt(lost),
});

const file = <A extends SimpleAction>(prepare: Prepare<A>, { repeatable = false } = {}): PerformRow<A> => ({
  heldBy: 'itself',
  perform: (action, attempt) => attemptFile(action, prepare, attempt),
  recover: (_, lost) => recoverFile(repeatable, lost),
});

/** What never comes here in a plan that was validated, and is refused where it does. */
const nobody = (message: string): PerformRow<SingleAction> => ({
  heldBy: 'nothing',
  perform: async () => failedResult('unsupported', message),
  recover: async () => ({ finding: 'not-started', detail: message }),
});

/** Every kind that is performed at once. Loops come here item by item. */
const performances: { readonly [K in SingleAction['kind']]: PerformRow<ActionOf<K>> } = {
  'run-command': command((action) => action.command),
  'run-script': command((action) => action.script),
  start: { heldBy: 'nothing', perform: attemptStart, recover: recoverStart },
  stop: { heldBy: 'itself', perform: attemptStop, recover: recoverStop },
  'write-file': file(prepareWrite),
  'append-file': file(prepareAppend),
  'edit-file': file(prepareEdit),
  'create-dir': file(prepareCreateDir, { repeatable: true }),
  'copy-path': file(prepareCopy),
  'move-path': file(prepareMove),
  'delete-path': file(prepareDelete),
  'list-files': file(prepareList),
  'read-file': file(prepareRead),
  'call-tool': {
    heldBy: 'nothing',
    perform: (call, attempt) =>
      attemptTool(call, attempt, (part) => performanceOf(part).perform(part, attempt)),
    recover: recoverTool,
  },
  ask: nobody('only a person answers'),
  manual: nobody('only a person does this'),
  restore: {
    heldBy: 'itself',
    perform: attemptRestore,
    // To put back what is back already changes nothing: it simply goes on.
    recover: async () => ({
      finding: 'not-started',
      detail: 'it was not through, and goes on where it was',
    }),
  },
};

export const performanceOf = (action: SingleAction): PerformRow<SingleAction> => performances[action.kind];
