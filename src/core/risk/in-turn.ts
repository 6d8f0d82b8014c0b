import {
  type Action,
  isLoop,
  type SingleAction,
  shellText,
  toolParts,
  type Verdict,
} from '../contract/index.ts';
import { UNKNOWN } from '../shell/index.ts';
import { judgeAction } from './action.ts';
import { type Followed, followCommand } from './judge.ts';
import { copyWritten, mixed, nothingWritten, originOf, type Writing } from './origins.ts';
import { settingText } from './own-environment.ts';
import { normalise, resolvePath } from './paths.ts';
import type { JudgeContext, Origin, Written } from './types.ts';

/** Something that was done, or would be by then. */
export interface Performed {
  readonly action: Action;
  /** A folder of its own, where it does not begin in the session's. */
  readonly cwd?: string | undefined;
  /** Variables of its own. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Where steps, followed one after the other, have come to. */
export interface InTurn {
  readonly written: Written;
  /** Variables that may have been set since the beginning. */
  readonly exported: readonly string[];
  /** The directory of the session, where that is known. */
  readonly cwd: string | undefined;
}

export const firstTurn = ({ exported = [], cwd }: JudgeContext): InTurn => ({
  written: nothingWritten(),
  exported,
  cwd,
});

/** Judges the steps of a plan in their order: each as it is once those before it were performed. Never throws. */
export function judgeInTurn(steps: readonly Performed[], context: JudgeContext = {}): Verdict[] {
  let turn = firstTurn(context);
  return steps.map((step) => {
    const verdict = judgeAction(step.action, contextAt(turn, step, context));
    turn = afterTurn(turn, step, context);
    return verdict;
  });
}

/** What is so once this step, too, was performed. */
export function afterTurn(turn: InTurn, step: Performed, context: JudgeContext): InTurn {
  const { written, left } = follow(step.action, contextAt(turn, step, context), turn.written);
  if (left === undefined) return { ...turn, written };
  const exported = left.set.length === 0 ? turn.exported : [...new Set([...turn.exported, ...left.set])];
  return { written, exported, cwd: step.cwd === undefined ? left.cwd : turn.cwd };
}

function contextAt(
  { written, exported, cwd: session }: InTurn,
  { cwd: own, env }: Performed,
  context: JudgeContext,
): JudgeContext {
  const cwd = own === undefined ? session : normalise(own.startsWith('/') ? own : `${session ?? '.'}/${own}`);
  const { cwd: _, ...rest } = context;
  return {
    ...rest,
    exported,
    written,
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
  };
}

const holes = /(?<!\$)\{[A-Za-z_]\w*(?::[^{}]*)?\}/g;

/** What is written once the action, too, was performed; and what else is then different, where it has a shell. */
function follow(
  action: Action,
  context: JudgeContext,
  before: Written,
): { written: Written; left: Followed | undefined } {
  const single: SingleAction = isLoop(action) ? action.do : action;
  const text = shellText(single);
  if (text === null) {
    const written = copyWritten(before);
    noteFile(single, context, written);
    return { written, left: undefined };
  }
  // What differs from item to item is like a variable that nobody knows.
  const body = isLoop(action) ? text.replace(holes, '${_item}') : text;
  const left = followCommand(settingText(known(context)) + body, context);
  return {
    written: together(before, left.written),
    left: isLoop(action) || single.kind === 'start' ? undefined : withoutOwn(left, context),
  };
}

/** A value that is not known yet is like none: what it stands for is unknown. */
function known(context: JudgeContext): JudgeContext {
  const { env = {}, ...rest } = context;
  const given = Object.entries(env).filter(([, value]) => value.search(holes) === -1);
  return { ...rest, env: Object.fromEntries(given) };
}

/** What is a step's own is gone with it. */
const withoutOwn = (left: Followed, { env = {} }: JudgeContext): Followed => ({
  ...left,
  set: left.set.filter((name) => !Object.hasOwn(env, name)),
});

/** The same value where nothing was added: most steps of a long plan write nothing. */
function together(before: Written, { files, folders }: Written): Written {
  if (files.size === 0 && folders.size === 0) return before;
  const written = copyWritten(before);
  for (const [path, origin] of files)
    written.files.set(path, origin === 'own' ? (before.files.get(path) ?? origin) : origin);
  for (const folder of folders) written.folders.add(folder);
  return written;
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
    case 'call-tool':
      for (const part of toolParts(action) ?? []) noteFile(part, context, written);
      break;
    default:
  }
}
