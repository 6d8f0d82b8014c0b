import { keptChats } from '../../../core/chat/kept.ts';
import type { ChatRow, ChatState, RunRow, RunState } from '../../../core/contract/index.ts';
import type { ScheduleRow } from '../../../core/contract/schedules/index.ts';
import type { WaitingTask } from '../../../core/contract/tasks/index.ts';
import { callApprovalWords, chatQuestion, openQuestion } from '../../../core/contract/told/index.ts';
import { printAction } from '../../../core/plan/index.ts';
import { exitCodes } from '../../app/errors.ts';
import { atMost, type CommandCode } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { nextCommands } from '../render/next-commands.ts';
import { renderOpen } from '../render/questions.ts';
import { cleanOutput } from '../render/text/clean.ts';
import { withoutSecrets } from '../task/hidden.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      atMost(given, 0);
      const rows = await app.runs.waiting(100);
      const waiting = await Promise.all(
        rows.map(async (row) => {
          const exact = await app.runs.state(row.id);
          return { row, state: app.redactorFor(exact).value(exact) };
        }),
      );
      const chats = await Promise.all(
        (await app.chats.waiting(100)).map(async (row) => {
          const exact = await app.chats.state(row.id);
          return app.redactorFor(exact, keptChats).value({ row, state: exact });
        }),
      );
      const tasks = withoutSecrets(app, await app.tasks.waiting(100));
      const schedules = withoutSecrets(app, await app.schedules.waiting(100));
      if (given.flag('json'))
        printJson(context, [
          ...waiting.map(({ row, state }) => asData(row, state)),
          ...chats.map(({ row, state }) => chatData(row, state)),
          ...tasks.map((one) => taskData(one)),
          ...schedules.map((row) => scheduleData(row)),
        ]);
      else if (waiting.length + chats.length + tasks.length + schedules.length === 0)
        note(context, 'Nothing waits for you.');
      else {
        const look = { ...lookOf(context, 'stdout'), printAction, choices: false };
        for (const { row, state } of waiting) {
          print(context, `${row.id}  ${row.goal}  (${row.workspace})`);
          const question = openQuestion(state);
          if (question !== null) print(context, renderOpen(question, state, look).join('\n'));
          const commands = nextCommands(state, row.id).map(([, command]) => `  ${command}`);
          print(context, `${commands.join('\n')}\n`);
        }
        for (const { row, state } of chats) {
          print(context, cleanOutput(`${row.id}  ${row.title}  (${row.workspace})`));
          for (const line of chatLines(state)) print(context, `  ${cleanOutput(line)}`);
          print(context, `  planwright chat --resume ${row.id}\n`);
        }
        for (const { row, asks } of tasks) {
          print(context, cleanOutput(`${row.id}  ${row.title}  (${row.workspace})`));
          for (const line of asks.split('\n')) print(context, `  ${cleanOutput(line)}`);
          print(context, `  planwright task show ${row.id}\n`);
        }
        for (const { id, name, workspace, broken } of schedules) {
          print(context, cleanOutput(`${id}  ${name}  (${workspace})`));
          for (const line of (broken ?? '').split('\n')) print(context, `  ${cleanOutput(line)}`);
          print(context, `  planwright schedule agree ${id}\n`);
        }
      }
      return exitCodes.done;
    }),
};

function asData(row: RunRow, state: RunState) {
  const question = openQuestion(state);
  const approval = question?.kind === 'approval' ? question.approval : null;
  return { run: row.id, goal: row.goal, workspace: row.workspace, waitingFor: row.waitingFor, approval };
}

function chatLines(state: ChatState): string[] {
  const question = chatQuestion(state);
  if (question === null) return [];
  return question.kind === 'approval' ? callApprovalWords(question.approval) : question.text.split('\n');
}

const scheduleData = ({ id, name, workspace, file, broken }: ScheduleRow) => ({
  schedule: id,
  name,
  workspace,
  file,
  asks: broken,
});

const taskData = ({ row, asks, risk }: WaitingTask) => ({
  task: row.id,
  title: row.title,
  workspace: row.workspace,
  status: row.state,
  asks,
  risk,
});

function chatData({ id, title, workspace, waitingFor }: ChatRow, state: ChatState) {
  const question = chatQuestion(state);
  const approval = question?.kind === 'approval' ? question.approval : null;
  return {
    chat: id,
    title,
    workspace,
    waitingFor,
    approval,
    ...(question?.kind === 'answer' ? { question: question.text } : {}),
  };
}
