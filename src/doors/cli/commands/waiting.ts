import type { RunRow, RunState } from '../../../core/contract/index.ts';
import { openQuestion } from '../../../core/contract/told/index.ts';
import { printAction } from '../../../core/plan/index.ts';
import { exitCodes } from '../../app/errors.ts';
import { atMost, type CommandCode } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { renderOpen } from '../render/questions.ts';
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
      if (given.flag('json'))
        printJson(
          context,
          waiting.map(({ row, state }) => asData(row, state)),
        );
      else if (waiting.length === 0) note(context, 'Nothing waits for you.');
      else {
        const look = { ...lookOf(context, 'stdout'), printAction, choices: false };
        for (const { row, state } of waiting) {
          print(context, `${row.id}  ${row.goal}  (${row.workspace})`);
          const question = openQuestion(state);
          if (question !== null) print(context, `${renderOpen(question, state, look).join('\n')}\n`);
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
