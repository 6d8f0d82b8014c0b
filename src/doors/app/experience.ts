import { fold, type RunEvent, type RunRow, type RunState } from '../../core/contract/index.ts';
import { printAction } from '../../core/plan/index.ts';
import { searchWords, similarity } from '../../core/plan/templates/index.ts';
import type { Listing, Search, Streams } from '../../core/stream/index.ts';
import type { Experience } from '../../mind/planner/index.ts';

/** What is asked of the store about runs. */
export type RunStore = Pick<Streams<RunEvent> & Listing & Search, 'read' | 'list' | 'alike'>;

/** How many earlier runs are read: each costs one read of its journal. */
const MAX_RUNS = 30;
/** Candidates that the index proposes; most are about something else that has a word in common. */
const MAX_FOUND = 200;
const MAX_LIKE = 10;
const ALIKE = 0.5;

/** What earlier runs know, from the store. Never throws: experience that cannot be read is none. */
export function createExperience(store: RunStore): Experience {
  const states = async (rows: () => Promise<RunRow[]>): Promise<RunState[]> => {
    try {
      return await Promise.all((await rows()).map(async ({ id }) => fold(await store.read(id, 0))));
    } catch {
      return [];
    }
  };
  return {
    async durations(actions) {
      const wanted = new Set(actions);
      const known = new Map<string, number>();
      for (const state of (
        await states(() => store.list<RunRow>({ kind: 'run', limit: MAX_RUNS }))
      ).toReversed()) {
        for (const [action, ms] of performed(state)) if (wanted.has(action)) known.set(action, ms);
      }
      return actions.map((action) => known.get(action) ?? null);
    },
    async wentWrong(goal, workspace, run) {
      const like = await states(async () =>
        (await store.alike<RunRow>(searchWords(goal), { kind: 'run', workspace, limit: MAX_FOUND }))
          .filter((row) => row.id !== run && similarity(goal, row.goal) >= ALIKE)
          .slice(0, MAX_LIKE),
      );
      return [...new Set(like.flatMap(failures))];
    },
  };
}

function performed({ plan, steps }: RunState): [string, number][] {
  return steps.flatMap(({ status, result }, index): [string, number][] =>
    status === 'done' && result !== null
      ? [[printAction(plan!.steps[index]!.action), result.durationMs]]
      : [],
  );
}

/** One sentence for each draft that was rejected, each step that was declined and each that failed. */
function failures({ plan, planning, steps }: RunState): string[] {
  const goal = planning?.goal ?? plan?.goal ?? '';
  const rejected = (planning?.drafts ?? [])
    .filter(({ status }) => status === 'rejected')
    .flatMap(({ reasons }) =>
      reasons.slice(0, 2).map(({ message }) => `A plan for "${goal}" was rejected: ${message}`),
    );
  const declined = (planning?.feedback ?? []).map(
    ({ step, reason }) => `For "${goal}" the person did not want "${step}": ${reason}`,
  );
  const failed = steps.flatMap(({ status, result }, index) => {
    if (status !== 'failed' || plan === null) return [];
    const said = result?.message ?? result?.stderrTail.trim().split('\n').at(-1) ?? 'it failed';
    return [`In a run for "${goal}", ${printAction(plan.steps[index]!.action)} failed: ${said}`];
  });
  return [...rejected, ...declined, ...failed];
}
