import type {
  ChatRow,
  ChatState,
  RunRow,
  RunState,
  WaitingChat,
  WaitingItem,
} from '../../../core/contract/index.ts';
import {
  callWords,
  chatQuestion,
  isAnswered,
  isChatAnswered,
  openQuestion,
  waitingFor,
} from '../../../core/contract/told/index.ts';
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
      const chats = await Promise.all(
        (await app.chats.waiting(most)).map(async (row) => {
          const { exact, redactor } = await views.any(row.id);
          return redactor.value(chatItemOf(row, exact as ChatState));
        }),
      );
      const needy = await app.tasks.waiting(most);
      // What is asked is hidden as its row is.
      const hidden = await views.rows(needy.map(({ row, asks }) => ({ ...row, asks })));
      const tasks = hidden.map(({ asks, ...row }, at) => ({ row, asks, risk: needy[at]!.risk }));
      return {
        tasks,
        schedules: await views.rows(await app.schedules.waiting(most)),
        waiting: items.filter((item) => item !== null),
        chats: chats.filter((item) => item !== null),
      };
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

function chatItemOf(row: ChatRow, state: ChatState): WaitingChat | null {
  const question = chatQuestion(state);
  if (question === null || isChatAnswered(state, question)) return null;
  return question.kind === 'approval'
    ? {
        row,
        waitingFor: 'approval',
        asks: callWords(question.call),
        risk: question.approval.verdict.level,
      }
    : { row, waitingFor: 'answer', asks: question.text, risk: null };
}
