import type { RunRow, RunState, WaitingItem } from '../../../core/contract/index.ts';
import type { Desk, Handlers } from './handler.ts';

const most = 200;

export function waitingRoutes({ app, views }: Desk): Handlers<'waiting' | 'search'> {
  return {
    async waiting() {
      const rows = await app.runs.list({ state: ['waiting', 'agreeing'], limit: most });
      const items = await Promise.all(
        rows.map(async (row) => {
          const { exact, redactor } = await views.view(row.id);
          return redactor.value(itemOf(row, exact));
        }),
      );
      return { waiting: items.filter((item) => item !== null) };
    },
    async search({ query }) {
      const found = await app.store.find<RunRow>(query.q, query.limit, 'run');
      const hits = found.map(({ row, found: line }) => ({ row, found: line ?? row.goal }));
      return { hits: views.common.value(hits) };
    },
  };
}

/** Null: it has been decided meanwhile. */
function itemOf(row: RunRow, state: RunState): WaitingItem | null {
  if (row.waitingFor === null) return null;
  const approval = state.approvals.find(({ status }) => status === 'needed') ?? null;
  const at = state.steps.findIndex((step) => step.offered || step.asked);
  const stepId = approval?.stepId ?? state.interrupted?.stepId ?? state.steps[at]?.id ?? null;
  const step = state.plan?.steps.find(({ id }) => id === stepId);
  const action = step?.action;
  const asked = action?.kind === 'ask' ? action.question : action?.kind === 'manual' ? action.text : null;
  return {
    row,
    waitingFor: row.waitingFor,
    stepId,
    stepTitle: step?.title ?? null,
    approval,
    question: asked ?? state.interrupted?.detail ?? state.planning?.question ?? null,
  };
}
