import {
  type CallToolResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { openQuestion } from '../../core/contract/told/index.ts';
import { AppError } from '../app/errors.ts';
import { isGoing, takeUp } from './attend.ts';
import { formFor, isDecider, questionName, takeDecision } from './decide.ts';
import type { Visit } from './desk.ts';
import { noRun, runOf } from './folders.ts';
import { showRun } from './shown.ts';
import { cancelRun } from './tools/runs.ts';
import { sentenceFor, type VisitOf } from './visits.ts';

/*
 * A run is a task of the protocol as it is: its id names both, its journal keeps it, and it outlives this process.
 *
 *   run is …                     │ task is …
 *   planning, running, mending   │ working
 *   asked, the client may ask    │ input_required, with the question
 *   asked, decided elsewhere     │ working: statusMessage says where a person decides
 *   ended, paused, failed        │ completed, with what `attend_run` would answer
 *   cancelled                    │ cancelled
 */

const POLL_MS = 2000;

/** The answer to `run` for a client that has tasks: the handle, and what the run is now. */
export async function asTask(visit: Visit, result: CallToolResult): Promise<CallToolResult> {
  const { run } = result.structuredContent as { run: string };
  return { ...result, resultType: 'task', ...(await taskOf(visit, run)) } as CallToolResult;
}

async function taskOf({ desk, caller }: Visit, id: string) {
  // Before its state: one that has come to rest meanwhile goes on, for now, and is not completed with what it was before.
  const row = await desk.app.streams.row(id);
  const state = await desk.app.runs.state(id);
  const shown = await showRun(desk, id, state);
  const { question } = shown;
  const where =
    question === null ? '' : `. A person decides: ${question.decide.page ?? question.decide.command}`;
  const isAsked = question !== null && isDecider(desk, caller, state);
  const common = {
    taskId: id,
    statusMessage: `${shown.sentence}${where}`,
    createdAt: new Date(row?.createdAt ?? 0).toISOString(),
    lastUpdatedAt: new Date(row?.updatedAt ?? 0).toISOString(),
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
  if (isAsked) {
    const open = openQuestion(state)!;
    // The name of the question is the key of its answer: what was shown is not taken for another.
    const form = await formFor(desk, id, state, open);
    return { ...common, status: 'input_required', inputRequests: { [questionName(open, state)]: form } };
  }
  if (isGoing(row) || question !== null) return { ...common, status: 'working' };
  if (state.status === 'cancelled') return { ...common, status: 'cancelled' };
  const isError = state.stopReason !== 'completed';
  const content = [{ type: 'text', text: JSON.stringify(shown) }];
  return { ...common, status: 'completed', result: { content, structuredContent: shown, isError } };
}

const Named = z.object({ taskId: z.string().max(64) });
const Any = z.looseObject({});

/** Whoever has the name of a task, whole, got it from a call that knew its roots: of trusted folders, that is enough. */
export function addTasks({ server }: McpServer, visitOf: VisitOf): void {
  const handle = <P extends z.ZodType<{ taskId: string }>>(
    method: string,
    params: P,
    work: (given: z.output<P>, visit: Visit, id: string) => Promise<object>,
  ) =>
    server.setRequestHandler(method, { params, result: Any }, async (given, ctx) => {
      const visit = visitOf(ctx, 'trusted');
      try {
        const { taskId } = given as { taskId: string };
        const { id } = await runOf(visit.desk.app, visit.caller, taskId);
        if (id !== taskId) throw noRun(taskId);
        return { ...(await work(given as z.output<P>, visit, id)) };
      } catch (error) {
        const code =
          error instanceof AppError ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
        throw new ProtocolError(code, sentenceFor(visit.desk, method, error));
      }
    });
  handle('tasks/get', Named, async (_, visit, id) => {
    await takeUp(visit, id);
    return taskOf(visit, id);
  });
  handle('tasks/update', Named, async (_, visit, id) => {
    for (const [asks, answer] of Object.entries(visit.answers)) await takeDecision(visit, id, asks, answer);
    return {};
  });
  handle('tasks/cancel', Named, async (_, visit, id) => {
    if (!(await visit.desk.app.runs.state(id)).ended) await cancelRun(visit, id);
    return {};
  });
}
