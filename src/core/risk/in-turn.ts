import { type Action, isLoop, type SingleAction, shellText, type Verdict } from '../contract/index.ts';
import { UNKNOWN } from '../shell/index.ts';
import { judgeAction } from './action.ts';
import { followCommand } from './judge.ts';
import { mixed, nothingWritten, originOf, type Writing } from './origins.ts';
import { resolvePath } from './paths.ts';
import type { JudgeContext, Origin, Written } from './types.ts';

/** Something that was done, or would be by then, and the directory it began in. */
export interface Performed {
  readonly action: Action;
  readonly cwd: string | undefined;
}

/** Judges the steps of a plan in their order: each as it is once those before it were performed. Never throws. */
export function judgeInTurn(actions: readonly Action[], context: JudgeContext = {}): Verdict[] {
  const written = nothingWritten();
  const exported = new Set(context.exported);
  let { cwd } = context;
  return actions.map((action) => {
    const here = { ...context, exported: [...exported], written, ...(cwd === undefined ? {} : { cwd }) };
    const verdict = judgeAction(action, here);
    const left = follow(action, here, written);
    for (const name of left?.set ?? []) exported.add(name);
    if (left) cwd = left.cwd;
    return verdict;
  });
}

/** What these have written, in their order. */
export function writtenBy(performed: readonly Performed[], context: JudgeContext): Written {
  const written = nothingWritten();
  for (const { action, cwd } of performed)
    follow(action, { ...context, written, ...(cwd === undefined ? {} : { cwd }) }, written);
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
