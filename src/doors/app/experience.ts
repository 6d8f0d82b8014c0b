import { fold, type RunState } from '../../core/contract/index.ts';
import { printAction, similarity } from '../../core/plan/index.ts';
import type { Experience } from '../../mind/planner/index.ts';
import type { Store } from '../../world/store/index.ts';

/** How far back earlier runs are looked at: each costs one read of its journal. */
const MAX_RUNS = 30;
const ALIKE = 0.5;

/** What earlier runs know, from the store. Never throws: experience that cannot be read is none. */
export function createExperience(store: Store): Experience {
  const states = async (query: Parameters<Store['runs']>[0], fits: (goal: string) => boolean) => {
    try {
      const rows = await store.runs({ ...query, limit: MAX_RUNS });
      const read = rows.filter(({ goal }) => fits(goal)).map(async ({ id }) => fold(await store.read(id, 0)));
      return await Promise.all(read);
    } catch {
      return [];
    }
  };
  return {
    async durations(actions) {
      const wanted = new Set(actions);
      const known = new Map<string, number>();
      for (const state of (await states({}, () => true)).toReversed()) {
        for (const [action, ms] of performed(state)) if (wanted.has(action)) known.set(action, ms);
      }
      return actions.map((action) => known.get(action) ?? null);
    },
    async wentWrong(goal, workspace) {
      const like = await states({ workspace }, (other) => similarity(goal, other) >= ALIKE);
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

/** One sentence for each draft that was rejected and each step that failed. */
function failures({ plan, planning, steps }: RunState): string[] {
  const goal = planning?.goal ?? plan?.goal ?? '';
  const rejected = (planning?.drafts ?? [])
    .filter(({ status }) => status === 'rejected')
    .flatMap(({ reasons }) =>
      reasons.slice(0, 2).map(({ message }) => `A plan for "${goal}" was rejected: ${message}`),
    );
  const failed = steps.flatMap(({ status, result }, index) => {
    if (status !== 'failed' || plan === null) return [];
    const said = result?.message ?? result?.stderrTail.trim().split('\n').at(-1) ?? 'it failed';
    return [`In a run for "${goal}", ${printAction(plan.steps[index]!.action)} failed: ${said}`];
  });
  return [...rejected, ...failed];
}
