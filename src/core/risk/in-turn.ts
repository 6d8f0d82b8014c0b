import { type Action, isLoop, type SingleAction, shellText, type Verdict } from '../contract/index.ts';
import { UNKNOWN } from '../shell/index.ts';
import { judgeAction } from './action.ts';
import { followCommand } from './judge.ts';
import { mixed, nothingWritten, originOf, type Writing } from './origins.ts';
import { normalise, resolvePath } from './paths.ts';
import type { JudgeContext, Origin, Written } from './types.ts';

/** Something that was done, or would be by then; `cwd`: a folder of its own, where it does not begin in the session's. */
export interface Performed {
  readonly action: Action;
  readonly cwd?: string | undefined;
}

/** Judges the steps of a plan in their order: each as it is once those before it were performed. Never throws. */
export function judgeInTurn(steps: readonly Performed[], context: JudgeContext = {}): Verdict[] {
  const verdicts: Verdict[] = [];
  inTurn(steps, context, (action, here) => verdicts.push(judgeAction(action, here)));
  return verdicts;
}

/** What these have written, in their order. */
export const writtenBy = (steps: readonly Performed[], context: JudgeContext): Written =>
  inTurn(steps, context, () => {});

function inTurn(
  steps: readonly Performed[],
  context: JudgeContext,
  visit: (action: Action, here: JudgeContext) => void,
): Written {
  const written = nothingWritten();
  const exported = new Set(context.exported);
  let session = context.cwd;
  for (const { action, cwd: own } of steps) {
    const cwd =
      own === undefined ? session : normalise(own.startsWith('/') ? own : `${session ?? '.'}/${own}`);
    const { cwd: _, ...rest } = context;
    const here = { ...rest, exported: [...exported], written, ...(cwd === undefined ? {} : { cwd }) };
    visit(action, here);
    const left = follow(action, here, written);
    for (const name of left?.set ?? []) exported.add(name);
    if (left && own === undefined) session = left.cwd;
  }
  return written;
}

const holes = /(?<!\$)\{[A-Za-z_]\w*(?::[^{}]*)?\}/g;

/** Adds what an action writes; answers with what else is then different, where it has a shell. */
function follow(action: Action, context: JudgeContext, written: Writing) {
  const single: SingleAction = isLoop(action) ? action.do : action;
  const text = shellText(single);
  if (text === null) {
    noteFile(single, context, written);
    return undefined;
  }
  // What differs from item to item is like a variable that nobody knows.
  const left = followCommand(isLoop(action) ? text.replace(holes, '${_item}') : text, context);
  for (const [path, origin] of left.written.files)
    written.files.set(path, origin === 'own' ? (written.files.get(path) ?? origin) : origin);
  for (const folder of left.written.folders) written.folders.add(folder);
  return isLoop(action) || single.kind === 'start' ? undefined : left;
}

function noteFile(action: SingleAction, context: JudgeContext, written: Writing): void {
  const where = { context, cwd: context.cwd ?? context.workspace };
  const note = (path: string, origin: Origin): void =>
    void written.files.set(resolvePath(path.replace(holes, UNKNOWN), where), origin);
  const there = (path: string): Origin => originOf(path, where, written);
  switch (action.kind) {
    case 'write-file':
      note(action.path, { text: action.content });
      break;
    case 'append-file':
      note(action.path, mixed(there(action.path), { text: action.content }));
      break;
    case 'edit-file': {
      const before = there(action.path);
      const known = typeof before === 'object' && before.text.includes(action.old);
      note(
        action.path,
        known
          ? { text: before.text.replace(action.old, () => action.new) }
          : mixed(before, { text: action.new }),
      );
      break;
    }
    case 'copy-path':
    case 'move-path': {
      const origin = there(action.from);
      note(action.to, origin);
      note(`${action.to}/${action.from.replace(/^.*\//, '')}`, origin);
      if (written.folders.has(resolvePath(action.from, where)))
        written.folders.add(resolvePath(action.to, where));
      break;
    }
    default:
  }
}
