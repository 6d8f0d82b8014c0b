import { dirname, join } from 'node:path/posix';
import { isIdle } from '../../../core/plan/index.ts';
import { movesShell, type Simple, shellWord } from '../../../core/shell/index.ts';
import type { Probe } from '../probe/probe.ts';
import { doubtIn } from './doubts.ts';
import type { Mend, SeenFailure } from './rule.ts';

/** A failure as one folder of it sees it: the commands that ran there, with a probe that looks there. */
export interface FolderView {
  readonly seen: SeenFailure;
  /** What a rule proposes, so that it happens in that folder. */
  readonly place: (mend: Mend) => Mend;
  /** What speaks against mending it there unasked. */
  readonly doubt: (mend: Mend) => Promise<string | null>;
}

/**
 * The folders in which the command may have failed, each with its own commands: after `cd sub &&`, in a subshell or
 * behind `make -C sub` names mean something else than where the step began. Where nobody can say which one failed, none.
 * A folder that is not there is seen from the one above that is: it is what failed.
 */
export async function viewsOf(seen: SeenFailure, probeIn: (folder: string) => Probe): Promise<FolderView[]> {
  const { simples } = seen.tree;
  if (simples.every(({ folder }) => folder === '')) return [begun(seen)];
  const groups = [...Map.groupBy(simples, ({ folder }) => folder)];
  const moved = groups.filter(([, of]) =>
    of.some((simple) => movesShell(simple.program) && isNamed(simple, seen)),
  );
  const acting = groups.filter(([, of]) => of.some((simple) => !isIdle(simple)));
  const named = acting.filter(([, of]) => of.some((simple) => !isIdle(simple) && isNamed(simple, seen)));
  // Where all of it only says or sets something, it is what is said that went wrong.
  const doing = acting.length > 0 ? acting : groups.filter(([, of]) => !of.every(movesOnly));
  const failed = moved.length > 0 ? moved : doing.length === 1 ? doing : named;
  const views: FolderView[] = [];
  for (const [folder, of] of failed) {
    if (folder === null) continue;
    let there = folder;
    while (there !== '' && (await seen.probe.kind(there)) === 'absent')
      there = there.includes('/') ? dirname(there) : '';
    views.push(view(seen, there, of, probeIn));
  }
  return views;
}

const movesOnly = ({ program }: Simple): boolean => movesShell(program);

/** Where the step began, nothing is to be placed, and nothing to be mistaken. */
const begun = (seen: SeenFailure): FolderView => ({
  seen,
  place: (mend) => mend,
  doubt: async () => null,
});

function view(
  seen: SeenFailure,
  folder: string,
  simples: readonly Simple[],
  probeIn: (folder: string) => Probe,
): FolderView {
  const { failure, tree } = seen;
  if (folder === '') return begun({ ...seen, tree: { ...tree, simples } });
  const cwd = failure.cwd === undefined ? undefined : join(failure.cwd, folder);
  const there = { ...failure, ...(cwd === undefined ? {} : { cwd }) };
  const probe = cwd === undefined ? seen.probe : probeIn(cwd);
  const seenThere = { ...seen, failure: there, tree: { ...tree, simples }, probe };
  return {
    seen: seenThere,
    doubt: (mend) => doubtIn(mend, seenThere, [seen.probe, ...between(folder, failure.cwd).map(probeIn)]),
    place: (mend) =>
      'steps' in mend
        ? { ...mend, steps: mend.steps.map((step) => ({ ...step, command: inFolder(folder, step.command) })) }
        : mend,
  };
}

/** The folders on the way there: `a/b/c` → a, a/b. */
const between = (folder: string, cwd: string | undefined): string[] => {
  const parts = folder.split('/').filter((part) => part !== '');
  if (cwd === undefined || parts.includes('..')) return [];
  return parts.slice(1).map((_, at) => join(cwd, ...parts.slice(0, at + 1)));
};

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
