import { pathsOf } from '../../contract/index.ts';
import type { Problem } from '../problem.ts';
import { findPlaceholders, replaceAt } from '../substitute/placeholders.ts';
import type { WorkspaceFacts } from './facts.ts';
import { type CheckedStep, type PlanRule, type PlanView, problemOf } from './rule.ts';

/** The part of a path before the first placeholder or pattern: what can be known before the run. */
function knownPart(path: string): string {
  const [placeholder] = findPlaceholders(path);
  const pattern = path.search(/[*?[]/);
  const ends = [placeholder?.start ?? path.length, pattern < 0 ? path.length : pattern];
  const end = Math.min(...ends);
  if (end === path.length) return path;
  const slash = path.lastIndexOf('/', end - 1);
  return slash < 0 ? '.' : path.slice(0, slash + 1);
}

const isAbsolute = (path: string) => /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path);

/** How a path leaves the workspace by its words alone, or null. */
function lexicalEscape(path: string): string | null {
  if (path.includes('\0')) return 'has a zero byte';
  if (/^~(?:[/\\]|$)/.test(path)) return 'starts with ~, which is not expanded here';
  const plain = replaceAt(path, findPlaceholders(path), () => 'x');
  let depth = 0;
  for (const part of plain.split(/[/\\]/)) {
    if (part === '..') depth--;
    else if (part !== '' && part !== '.') depth++;
    if (depth < 0 && !isAbsolute(path)) return 'leaves the workspace with `..`';
  }
  return null;
}

const MEND = 'Use a path inside the workspace.';

export const lexicalConfinement: PlanRule = ({ steps }) =>
  steps.flatMap((view) =>
    eachPath(view, (path) => {
      const why = lexicalEscape(path);
      return why === null
        ? null
        : problemOf(view, 'outside-workspace', 'error', `\`${short(path)}\` ${why}.`, MEND);
    }),
  );

/** Without a workspace to ask, an absolute path cannot be known to be inside it. */
export const noAbsolutePaths: PlanRule = ({ steps }) =>
  steps.flatMap((view) =>
    eachPath(view, (path) =>
      isAbsolute(path)
        ? problemOf(
            view,
            'outside-workspace',
            'error',
            `\`${short(path)}\` is absolute.`,
            'Write it relative to the workspace.',
          )
        : null,
    ),
  );

export const wholeWorkspace: PlanRule = ({ steps }) =>
  steps.flatMap((view) =>
    view.actions.flatMap(({ action }) => {
      const gone = pathsOf(action).find(({ use }) => use === 'delete' || use === 'move-from');
      if (gone === undefined || !/^(?:\.?\/)*\.?$/.test(gone.path) || isAbsolute(gone.path)) return [];
      const message = `it would ${gone.use === 'delete' ? 'delete' : 'move'} the whole workspace.`;
      return [problemOf(view, 'whole-workspace', 'error', message, 'Name what is meant inside it.')];
    }),
  );

/** With a workspace: links resolved, absolute paths compared, pipes and devices refused. */
export async function realConfinement({ steps }: PlanView, facts: WorkspaceFacts): Promise<Problem[]> {
  const root = await facts.realpath('.');
  const problems: Problem[] = [];
  const seen = new Map<string, string | null>();
  for (const view of steps) {
    for (const { path } of view.actions.flatMap(({ action }) => pathsOf(action))) {
      if (lexicalEscape(path) !== null) continue;
      let why = seen.get(path);
      if (why === undefined) {
        why = await realEscape(knownPart(path), root, facts);
        seen.set(path, why);
      }
      if (why !== null)
        problems.push(problemOf(view, 'outside-workspace', 'error', `\`${short(path)}\` ${why}.`, MEND));
    }
  }
  return problems;
}

async function realEscape(path: string, root: string | null, facts: WorkspaceFacts): Promise<string | null> {
  const real = await facts.realpath(path);
  if (real === null || root === null) return 'cannot be resolved';
  const inside = real === root || real.startsWith(root.endsWith('/') ? root : `${root}/`);
  if (!inside)
    return isAbsolute(path) ? 'is outside the workspace' : 'leads out of the workspace through a link';
  return (await facts.kind(path)) === 'other' ? 'is a pipe, a device or a socket' : null;
}

function eachPath(view: CheckedStep, check: (path: string) => Problem | null): Problem[] {
  return view.actions.flatMap(({ action }) =>
    pathsOf(action)
      .map(({ path }) => check(path))
      .filter((problem) => problem !== null),
  );
}

const short = (path: string) => (path.length > 80 ? `${path.slice(0, 77)}...` : path);
