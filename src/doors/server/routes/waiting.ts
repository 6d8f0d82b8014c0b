import type { RunRow, RunState, WaitingItem } from '../../../core/contract/index.ts';
import { isAnswered, openQuestion, waitingFor } from '../../../core/contract/told/index.ts';
import type { Desk, Handlers } from './handler.ts';

const most = 200;

export function waitingRoutes({ app, views }: Desk): Handlers<'waiting' | 'listServices' | 'search'> {
  return {
    async waiting() {
      const rows = await app.runs.waiting(most);
      const items = await Promise.all(
        rows.map(async (row) => {
          const { exact, redactor } = await views.view(row.id);
          return redactor.value(itemOf(row, exact));
        }),
      );
      return { waiting: items.filter((item) => item !== null) };
    },
    async listServices({ query: { workspace } }) {
      const found = await app.runs.services(workspace === undefined ? {} : { workspace });
      const hidden = found.map(async (one) => (await views.view(one.run)).redactor.value(one));
      return { services: await Promise.all(hidden) };
    },
    async search({ query }) {
      const found = await app.streams.find<RunRow>(query.q, query.limit, 'run');
      // A line is hidden as its row is: by what its own run has to hide.
      const lines = found.map(({ row, found: line }) => ({ ...row, line: line ?? row.goal }));
      const hits = (await views.rows(lines)).map(({ line, ...row }) => ({ row, found: line }));
      return { hits };
    },
  };
}

/** Null: it has been decided meanwhile. */
function itemOf(row: RunRow, state: RunState): WaitingItem | null {
  const question = openQuestion(state);
  if (question === null || isAnswered(state)) return null;
  return {
    row,
    waitingFor: waitingFor[question.kind],
    stepId: question.stepId,
    stepTitle: 'step' in question ? question.step.title : null,
    approval: question.kind === 'approval' ? question.approval : null,
    question: 'text' in question ? question.text : question.kind === 'interrupt' ? question.detail : null,
  };
}
