import { describeAction, type Step, type WrittenAction } from '../../contract/index.ts';
import { parseAction } from '../action/parse.ts';
import { parseDuration } from './duration.ts';
import type { LineTable } from './line-table.ts';
import { stepResolver } from './references.ts';
import { RETRY_MEND, readRetry } from './retry.ts';
import { childOf, faultAt, pairOf, type ReadFault, type Tree } from './tree.ts';

export interface StepFault extends ReadFault {
  step?: string;
}

interface Origin {
  file: string;
  text: string;
  lines: LineTable;
}

/**
 * Makes steps of the items of a plan file. Goes through all of them whatever is wrong with some, so that a
 * person sees every problem at once; wrong types are left to the schema's report.
 */
export function buildSteps(items: readonly Tree[], origin: Origin): { steps: Step[]; faults: StepFault[] } {
  const faults: StepFault[] = [];
  const ids = assignIds(items, faults);
  const steps = items.map((item, index): Step => buildStep(item, ids[index]!, index, origin, faults));
  const resolve = stepResolver(steps);
  items.forEach((item, index) => {
    const after = readAfter(item, steps[index]!.id, resolve, faults);
    if (after !== undefined) steps[index]!.after = after;
  });
  return { steps, faults };
}

/** The given id, or `s` and the number of the step; always unique. */
function assignIds(items: readonly Tree[], faults: StepFault[]): string[] {
  const given = items.map((item) => textOf(item, 'id'));
  const taken = new Set<string>();
  given.forEach((id, index) => {
    if (id === undefined) return;
    if (taken.has(id)) {
      const { pos } = pairOf(items[index]!, 'id')!;
      faults.push(faultAt(pos, 'duplicate-id', `Two steps have the id \`${id}\`.`, 'Rename one.'));
    }
    taken.add(id);
  });
  return given.map((id, index) => {
    if (id !== undefined) return id;
    let made = `s${index + 1}`;
    while (taken.has(made)) made += 'x';
    taken.add(made);
    return made;
  });
}

function buildStep(item: Tree, id: string, index: number, origin: Origin, faults: StepFault[]): Step {
  const add = (fault: ReadFault) => faults.push({ ...fault, step: id });
  const action = readAction(item, index, origin, add);
  const undo = readActionLine(item, 'undo', index, origin, add);
  const timeoutMs = readTimeout(item, add);
  const expects = textOf(item, 'expects')?.trim();
  const why = textOf(item, 'why')?.trim();
  const cwd = textOf(item, 'cwd')?.trim();
  const env = readEnv(item);
  const retry = retryOf(item, add);
  const interactive = scalarOf(item, 'interactive');
  return {
    id,
    title: readTitle(item, action, index, add),
    action,
    ...(expects !== undefined && { expects }),
    ...(undo !== undefined && { undo }),
    ...(why !== undefined && { why }),
    source: sourceOf(item, origin),
    ...(typeof interactive === 'boolean' && { interactive }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
    ...(retry !== undefined && { retry }),
  };
}

const scalarOf = (item: Tree, key: string): unknown => {
  const child = childOf(item, key);
  return child?.kind === 'scalar' ? child.value : undefined;
};

function textOf(item: Tree, key: string): string | undefined {
  const value = scalarOf(item, key);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function readTitle(
  item: Tree,
  action: WrittenAction,
  index: number,
  add: (fault: ReadFault) => void,
): string {
  const step = scalarOf(item, 'step');
  if (typeof step === 'string') return step.trim() || 'Untitled';
  if (typeof step === 'number' && step !== index + 1) {
    const message = `This step says that it is number ${step}, and it is number ${index + 1}.`;
    const { pos } = pairOf(item, 'step')!;
    add(faultAt(pos, 'step-number', message, 'Number the steps from 1, or give titles.'));
  }
  return describeAction(action);
}

/** Stands in for an action that could not be read; a plan that has one is never returned. */
const UNREADABLE: WrittenAction = { kind: 'manual', text: 'unreadable' };

function readAction(
  item: Tree,
  index: number,
  origin: Origin,
  add: (fault: ReadFault) => void,
): WrittenAction {
  const run = textOf(item, 'run');
  const line = readActionLine(item, 'action', index, origin, add);
  if (run !== undefined && pairOf(item, 'action') !== undefined) {
    const { pos } = pairOf(item, 'run')!;
    add(faultAt(pos, 'two-actions', `Step ${index + 1} has both \`action\` and \`run\`.`, 'Keep one.'));
  }
  if (run !== undefined) return { kind: 'run-script', script: run.replace(/\n+$/, '') };
  if (item.kind === 'map' && pairOf(item, 'action') === undefined && pairOf(item, 'run') === undefined) {
    const mend = 'Add `action: RUN_COMMAND ...`, or `run: |` and a script below it.';
    add(faultAt(item.pos, 'missing-key', `Step ${index + 1} has no \`action\`.`, mend));
  }
  return line ?? UNREADABLE;
}

function readActionLine(
  item: Tree,
  key: 'action' | 'undo',
  index: number,
  origin: Origin,
  add: (fault: ReadFault) => void,
): WrittenAction | undefined {
  const text = textOf(item, key);
  if (text === undefined) return undefined;
  const line = text.replace(/\n+$/, '');
  const parsed = parseAction(line);
  if (parsed.ok) return parsed.action;
  const { pos } = childOf(item, key)!;
  // Only where the file has the line letter by letter does an offset into it mean a place in the file.
  const offset = origin.text.startsWith(line, pos) ? parsed.error.position : 0;
  const { message, mend } = parsed.error;
  add(faultAt(pos + offset, 'invalid-action', `Step ${index + 1}, \`${key}\`: ${message}`, mend));
  return undefined;
}

function readTimeout(item: Tree, add: (fault: ReadFault) => void): number | undefined {
  const value = scalarOf(item, 'timeout');
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const ms = parseDuration(value);
  if (ms !== null) return ms;
  const { pos } = childOf(item, 'timeout')!;
  add(faultAt(pos, 'wrong-timeout', '`timeout` is not a time.', 'Write 30s, 5m or 1h30m; at most 7 days.'));
  return undefined;
}

/** Wrong types are left to the schema's report. */
function readEnv(item: Tree): Step['env'] {
  const node = childOf(item, 'env');
  if (node?.kind !== 'map') return undefined;
  const given = node.pairs.flatMap(({ key, value }): [string, string][] =>
    value.kind === 'scalar' && value.value !== null ? [[key, String(value.value)]] : [],
  );
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function retryOf(item: Tree, add: (fault: ReadFault) => void): Step['retry'] {
  const node = childOf(item, 'retry');
  if (node === undefined) return undefined;
  const times = node.kind === 'map' ? scalarOf(node, 'times') : node.kind === 'scalar' ? node.value : null;
  const delay = node.kind === 'map' ? scalarOf(node, 'delay') : undefined;
  const isTime = delay === undefined || typeof delay === 'string' || typeof delay === 'number';
  if (typeof times !== 'number' || !isTime) return undefined;
  const retry = readRetry(times, delay);
  if (retry !== null) return retry;
  if (delay !== undefined) add(faultAt(node.pos, 'wrong-retry', '`retry` cannot be done.', RETRY_MEND));
  return undefined;
}

function readAfter(
  item: Tree,
  id: string,
  resolve: ReturnType<typeof stepResolver>,
  faults: StepFault[],
): string[] | undefined {
  const node = childOf(item, 'after');
  if (node === undefined || node.kind === 'map') return undefined;
  const references = node.kind === 'seq' ? node.items : [node];
  const after = new Set<string>();
  for (const reference of references) {
    const value = reference.kind === 'scalar' ? reference.value : null;
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const found = resolve(value);
    if (found.ok) after.add(found.id);
    else faults.push({ ...faultAt(reference.pos, 'unknown-step', found.message, found.mend), step: id });
  }
  return after.size > 0 ? [...after] : undefined;
}

function sourceOf(item: Tree, origin: Origin): Step['source'] {
  let end = Math.max(item.pos + 1, lastEnd(item));
  while (end > item.pos + 1 && /\s/.test(origin.text[end - 1]!)) end--;
  return {
    file: origin.file,
    line: origin.lines.at(item.pos).line,
    endLine: origin.lines.at(end - 1).line,
  };
}

/** Where the last value of an item ends: collections of some readers also count the space after them. */
function lastEnd(tree: Tree): number {
  if (tree.kind === 'map') return tree.pairs.length === 0 ? tree.end : lastEnd(tree.pairs.at(-1)!.value);
  return tree.end;
}
