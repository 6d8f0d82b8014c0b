import { readCommand, type Simple } from '../../../core/shell/index.ts';
import type { Probe } from '../probe/probe.ts';
import { type Mend, operands, type SeenFailure } from './rule.ts';

/**
 * Why a repair in the folder that the command went into (`cd svc && …`) may be one of the wrong thing, as a sentence;
 * null where nothing speaks for that. A person says which was meant.
 *
 * - What it changes has a namesake where the step began, or on the way: the script, the settings, the folder that is written into.
 * - It would begin the lock file of a project that lies within another one.
 * - Nothing of a path of several folders that the command names is there, and neither the step nor a later one counts on it.
 *   What a program of that folder writes is its own affair.
 */
export async function doubtIn(
  mend: Mend,
  seen: SeenFailure,
  above: readonly Probe[],
): Promise<string | null> {
  if (!('steps' in mend)) return null;
  for (const { command } of mend.steps) {
    for (const simple of readCommand(command).simples) {
      const doubt = (await ofProject(simple, seen.probe, above)) ?? (await ofPaths(simple, seen, above));
      if (doubt !== null) return doubt;
    }
  }
  return null;
}

const managers = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const locks = 'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb'.split(' ');

async function ofProject({ program }: Simple, here: Probe, above: readonly Probe[]): Promise<string | null> {
  if (!managers.has(program) || !(await isThere(above, 'package.json'))) return null;
  for (const lock of locks) if ((await here.kind(lock)) === 'file') return null;
  return 'The project lies within another one, and has no lock file: whose is to be made?';
}

async function ofPaths(simple: Simple, seen: SeenFailure, above: readonly Probe[]): Promise<string | null> {
  for (const { value, literal } of operands(simple)) {
    const path = value.replace(/^(?:\.\/)+|\/+$/g, '');
    if (!literal || !/^[\w.@-][\w./@-]*$/.test(path) || /^\.\.?$|^\.\.\//.test(path)) continue;
    const [first = ''] = path.split('/');
    if (await isThere(above, simple.program === 'mkdir' ? first : path))
      return `\`${path}\` is also where the step began: which is meant?`;
    if (simple.program !== 'mkdir' || first === path || !seen.command.includes(path)) continue;
    if (isCountedOn(seen, first)) continue;
    if ((await seen.probe.kind(first)) === 'absent')
      return `Nothing of \`${path}\` is there: is it the right place?`;
  }
  return null;
}

async function isThere(probes: readonly Probe[], path: string): Promise<boolean> {
  const kinds = await Promise.all(probes.map((probe) => probe.kind(path)));
  return kinds.some((kind) => kind === 'file' || kind === 'dir' || kind === 'other');
}

/** The step promises it, or the goal or a later step speaks of it. */
const isCountedOn = ({ failure: { step, goal }, context }: SeenFailure, name: string): boolean => {
  const named = new RegExp(`(?<![\\w-])${RegExp.escape(name)}(?![\\w-])`);
  return [step.expects ?? '', step.title, goal, ...context.later].some((text) => named.test(text));
};
