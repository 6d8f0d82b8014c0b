import type { ServerResponse } from 'node:http';
import type { Said, Script, WireRequest } from './script.ts';
import { openEvents, type Protocol, startWire, type WireServer } from './server.ts';

/** Chat completions and responses, by the path that is asked; and the list of models. */
export const startOpenAi = (
  script: Script,
  models: readonly string[] = ['local-model'],
): Promise<WireServer> =>
  startWire({ ...protocol, look: (request, response) => listModels(models, request, response) }, script);

const protocol: Protocol = {
  basePath: '/v1',
  errorBody: (status, message) => ({ error: { message, type: 'error', code: String(status) } }),
  write: (said, request, response) =>
    request.path.endsWith('/responses')
      ? writeResponse(said, request, response)
      : writeChat(said, request, response),
  malformed(response) {
    const send = openEvents(response);
    send('{"choices": [{"delta": ');
    response.end();
  },
};

function listModels(models: readonly string[], { path }: WireRequest, response: ServerResponse): boolean {
  if (!path.endsWith('/models')) return false;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) }));
  return true;
}

function writeChat(
  { pieces, calls, tokens, end }: Said,
  { body }: WireRequest,
  response: ServerResponse,
): void {
  const send = openEvents(response);
  const chunk = (choice: object | null, more: object = {}) =>
    send({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: body['model'],
      choices: choice === null ? [] : [{ index: 0, finish_reason: null, ...choice }],
      ...more,
    });
  chunk({ delta: { role: 'assistant', content: '' } });
  for (const piece of pieces) chunk({ delta: end === 'refusal' ? { refusal: piece } : { content: piece } });
  if (end === 'stall' || end === 'truncated' || end === 'broken') return;
  calls.forEach(({ id, name, input }, index) => {
    const half = Math.ceil(input.length / 2);
    chunk({ delta: { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] } });
    for (const part of [input.slice(0, half), input.slice(half)])
      chunk({ delta: { tool_calls: [{ index, function: { arguments: part } }] } });
  });
  const ended = calls.length > 0 ? 'tool_calls' : 'stop';
  chunk({ delta: {}, finish_reason: end === 'length' ? 'length' : ended });
  const usage = {
    prompt_tokens: tokens.input,
    completion_tokens: tokens.output,
    total_tokens: tokens.input + tokens.output,
  };
  chunk(null, { usage });
  send('[DONE]');
}

function writeResponse(
  { pieces, calls, tokens, end }: Said,
  { body }: WireRequest,
  response: ServerResponse,
): void {
  const send = openEvents(response);
  let sequence = 0;
  const event = (type: string, more: object) => {
    send({ type, sequence_number: sequence, ...more }, type);
    sequence += 1;
  };
  const base = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: body['model'],
    service_tier: 'default',
  };
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const kind = end === 'refusal' ? 'refusal' : 'output_text';
  const text = pieces.join('');
  const content =
    end === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] };
  const item = { id: 'msg_1', type: 'message', role: 'assistant', phase: 'final_answer' };
  event('response.created', { response: { ...base, status: 'in_progress', output: [] } });
  event('response.output_item.added', {
    output_index: 0,
    item: { ...item, status: 'in_progress', content: [] },
  });
  for (const delta of pieces) event(`response.${kind}.delta`, { ...place, delta });
  if (end === 'stall' || end === 'truncated' || end === 'broken') return;
  event(`response.${kind}.done`, { ...place, ...(end === 'refusal' ? { refusal: text } : { text }) });
  const done = { ...item, status: 'completed', content: [content] };
  event('response.output_item.done', { output_index: 0, item: done });
  calls.forEach(({ id, name, input }, at) => {
    const place = { output_index: at + 1 };
    const call = { id: `fc_${at}`, type: 'function_call', call_id: id, name };
    event('response.output_item.added', {
      ...place,
      item: { ...call, arguments: '', status: 'in_progress' },
    });
    event('response.function_call_arguments.delta', { ...place, item_id: call.id, delta: input });
    event('response.function_call_arguments.done', { ...place, item_id: call.id, arguments: input });
    event('response.output_item.done', {
      ...place,
      item: { ...call, arguments: input, status: 'completed' },
    });
  });
  const usage = {
    input_tokens: tokens.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: tokens.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens.input + tokens.output,
  };
  const status =
    end === 'length'
      ? { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
      : { status: 'completed', incomplete_details: null };
  const type = end === 'length' ? 'response.incomplete' : 'response.completed';
  event(type, { response: { ...base, ...status, output: [done], usage } });
}
