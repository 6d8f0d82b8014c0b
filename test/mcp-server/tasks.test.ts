import {
  CancelTaskResultV2Schema,
  CreateTaskResultV2Schema,
  GetTaskResultV2Schema,
  TASKS_EXTENSION_ID_V2,
  UpdateTaskResultV2Schema,
} from '@modelcontextprotocol/ext-tasks/core/v2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { eventually } from '../support/processes.ts';
import { DECIDES, openStage, ownToken, planOf, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const version = '2026-07-28';
const about = 'io.modelcontextprotocol';

/** One request as a client of today sends it, read by the schemas that the extension publishes. */
async function ask<T>(
  schema: z.ZodType<T>,
  method: string,
  params: Record<string, unknown>,
  { name = 'tasker', tasks = true } = {},
): Promise<T> {
  const capabilities = {
    elicitation: { form: {} },
    ...(tasks ? { extensions: { [TASKS_EXTENSION_ID_V2]: {} } } : {}),
  };
  const _meta = {
    [`${about}/protocolVersion`]: version,
    [`${about}/clientInfo`]: { name, version: '1' },
    [`${about}/clientCapabilities`]: capabilities,
  };
  const answer = await fetch(`${stage.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${name === DECIDES ? ownToken : stage.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': method,
      'mcp-name': String(params['name'] ?? params['taskId']),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
  const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
  return schema.parse(result);
}

const begin = (commands: string[], as = {}) =>
  ask(CreateTaskResultV2Schema, 'tools/call', { name: 'run', arguments: { plan: planOf(...commands) } }, as);
const look = (taskId: string, as = {}) => ask(GetTaskResultV2Schema, 'tasks/get', { taskId }, as);

test('a run is a task: it works while a person decides elsewhere, and completes with what came of it', async () => {
  const made = await begin(['echo done']);
  expect(made).toMatchObject({ resultType: 'task', status: 'working' });
  expect(made.statusMessage).toContain(`${stage.url}/runs/${made.taskId}`);
  await stage.agree(made.taskId);
  await eventually(async () => (await look(made.taskId)).status === 'completed', 'the task is completed');
  expect(await look(made.taskId)).toMatchObject({
    result: { isError: false, structuredContent: { run: made.taskId, stopReason: 'completed' } },
  });
});

test('one that the person decides through is asked in the task', async () => {
  const as = { name: DECIDES };
  const { taskId } = await begin(['true'], as);
  const asked = await look(taskId, as);
  if (asked.status !== 'input_required') throw new Error(`it is ${asked.status}`);
  const [key] = Object.keys(asked.inputRequests);
  const answer = { action: 'accept', content: { decision: 'all' } };
  // Of another question, and of a client that nobody has named, it is not taken.
  await ask(UpdateTaskResultV2Schema, 'tasks/update', { taskId, inputResponses: { other: answer } }, as);
  await ask(UpdateTaskResultV2Schema, 'tasks/update', { taskId, inputResponses: { [key!]: answer } });
  expect((await look(taskId, as)).status).toBe('input_required');
  await ask(UpdateTaskResultV2Schema, 'tasks/update', { taskId, inputResponses: { [key!]: answer } }, as);
  await eventually(async () => (await look(taskId, as)).status === 'completed', 'the task is completed');
});

test('a task is cancelled, one that failed says so, and what is no task is refused', async () => {
  const { taskId } = await begin(['true']);
  await ask(CancelTaskResultV2Schema, 'tasks/cancel', { taskId });
  await eventually(async () => (await look(taskId)).status === 'cancelled', 'the task is cancelled');
  const failing = await begin(['false']);
  await stage.agree(failing.taskId);
  await eventually(async () => (await look(failing.taskId)).status === 'completed', 'it has failed');
  expect(await look(failing.taskId)).toMatchObject({ result: { isError: true } });
  await expect(look('nosuchtask')).rejects.toThrow('no-such-run');
  // Its name is what lets in: a few letters of it could be guessed.
  await expect(look(taskId.slice(0, -1))).rejects.toThrow('no-such-run');
  await expect(look('../../x')).rejects.toThrow('no-such-run');
});
