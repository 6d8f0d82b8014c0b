import type { RunRow, RunState } from '../../../core/contract/index.ts';
import { printAction } from '../../../core/plan/index.ts';
import { exitCodes } from '../../app/errors.ts';
import { atMost, type CommandCode } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { lookOf } from '../look.ts';
import { renderApproval, renderInterrupt, renderOffer, renderQuestion } from '../view/questions.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      atMost(given, 0);
      const rows = await app.runs.list({ state: ['waiting', 'agreeing'], limit: 100 });
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
          print(context, `${questionLines(state, look).join('\n')}\n`);
        }
      }
      return exitCodes.done;
    }),
};

function asData(row: RunRow, state: RunState) {
  const approval = state.approvals.find(({ status }) => status === 'needed') ?? null;
  return { run: row.id, goal: row.goal, workspace: row.workspace, waitingFor: row.waitingFor, approval };
}

function questionLines(state: RunState, look: Parameters<typeof renderApproval>[2]): string[] {
  const approval = state.approvals.find(({ status }) => status === 'needed');
  if (approval !== undefined) return renderApproval(approval, state, look);
  if (state.planning?.question != null) return [` The planner asks: ${state.planning.question}`];
  const step = state.plan?.steps.find((_, at) => state.steps[at]?.offered || state.steps[at]?.asked);
  if (step !== undefined) {
    const isOffer = state.steps.some(({ id, offered }) => id === step.id && offered);
    return isOffer ? renderOffer(step, state, look) : renderQuestion(step, state, look);
  }
  return state.interrupted === null ? [' Waits for agreement on its plan.'] : renderInterrupt(state, look);
}
