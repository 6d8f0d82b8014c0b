import { join } from 'node:path/posix';
import { isIdle } from '../../../core/plan/index.ts';
import { movesShell, type Simple, shellWord } from '../../../core/shell/index.ts';
import type { Probe } from '../probe/probe.ts';
import type { Mend, SeenFailure } from './rule.ts';

/** A failure as one folder of it sees it: the commands that ran there, with a probe that looks there. */
export interface FolderView {
  readonly seen: SeenFailure;
  /** What a rule proposes, so that it happens in that folder. */
  readonly place: (mend: Mend) => Mend;
}

/**
 * The folders in which the command may have failed, each with its own commands: after `cd sub &&`, in a subshell or
 * behind `make -C sub` names mean something else than where the step began. Where nobody can say which one failed, none.
 */
export function viewsOf(seen: SeenFailure, probeIn: (folder: string) => Probe): FolderView[] {
  const { simples } = seen.tree;
  if (simples.every(({ folder }) => folder === '')) return [{ seen, place: (mend) => mend }];
  const groups = [...Map.groupBy(simples, ({ folder }) => folder)];
  const moved = groups.filter(([, of]) =>
    of.some((simple) => movesShell(simple.program) && isNamed(simple, seen)),
  );
  const acting = groups.filter(([, of]) => of.some((simple) => !isIdle(simple)));
  const named = acting.filter(([, of]) => of.some((simple) => !isIdle(simple) && isNamed(simple, seen)));
  const failed = moved.length > 0 ? moved : acting.length === 1 ? acting : named;
  return failed.flatMap(([folder, of]) => (folder === null ? [] : [view(seen, folder, of, probeIn)]));
}

function view(
  seen: SeenFailure,
  folder: string,
  simples: readonly Simple[],
  probeIn: (folder: string) => Probe,
): FolderView {
  const { failure, tree } = seen;
  if (folder === '') return { seen: { ...seen, tree: { ...tree, simples } }, place: (mend) => mend };
  const cwd = failure.cwd === undefined ? undefined : join(failure.cwd, folder);
  const there = { ...failure, ...(cwd === undefined ? {} : { cwd }) };
  const probe = cwd === undefined ? seen.probe : probeIn(cwd);
  return {
    seen: { ...seen, failure: there, tree: { ...tree, simples }, probe },
    place: (mend) =>
      'steps' in mend
        ? { ...mend, steps: mend.steps.map((step) => ({ ...step, command: inFolder(folder, step.command) })) }
        : mend,
  };
}

/** What a session keeps is set from there, and the session stays where it is. */
const isKept = /^(?:export|unset|set|source|\.)\s/;

const inFolder = (folder: string, command: string): string =>
  isKept.test(command)
    ? `cd ${shellWord(folder)} && ${command} && cd "$OLDPWD"`
    : `(cd ${shellWord(folder)} && ${command})`;

/** Whether the output speaks of the command. */
function isNamed({ name, program }: Simple, { output }: SeenFailure): boolean {
  return [name.value, program].some(
    (word) => word !== '' && new RegExp(`(?<![\\w./-])${RegExp.escape(word)}(?![\\w-])`).test(output),
  );
}
