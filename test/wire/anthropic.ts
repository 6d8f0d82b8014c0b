import type { Script } from './script.ts';
import { openEvents, type Protocol, startWire, type WireServer } from './server.ts';

export const startAnthropic = (script: Script): Promise<WireServer> => startWire(protocol, script);

const errorTypes: Record<number, string> = {
  401: 'authentication_error',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

const protocol: Protocol = {
  basePath: '',
  errorBody: (status, message) => ({
    type: 'error',
    error: { type: errorTypes[status] ?? 'invalid_request_error', message },
  }),
  write({ pieces, calls, tokens, end }, { body }, response) {
    const events = openEvents(response);
    const send = (type: string, more: object = {}) => events({ type, ...more }, type);
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: body['model'],
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: tokens.input, output_tokens: 1 },
    };
    send('message_start', { message });
    const isTool = answersByTool(body) && end !== 'refusal';
    const block = isTool
      ? { type: 'tool_use', id: 'toolu_1', name: 'json', input: {} }
      : { type: 'text', text: '' };
    send('content_block_start', { index: 0, content_block: block });
    for (const text of pieces) {
      const delta = isTool ? { type: 'input_json_delta', partial_json: text } : { type: 'text_delta', text };
      send('content_block_delta', { index: 0, delta });
    }
    if (end === 'stall' || end === 'truncated' || end === 'broken') return;
    send('content_block_stop', { index: 0 });
    calls.forEach(({ id, name, input }, at) => {
      const index = at + 1;
      send('content_block_start', { index, content_block: { type: 'tool_use', id, name, input: {} } });
      send('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: input } });
      send('content_block_stop', { index });
    });
    const reasons = {
      stop: isTool || calls.length > 0 ? 'tool_use' : 'end_turn',
      length: 'max_tokens',
      refusal: 'refusal',
    };
    const delta = { stop_reason: reasons[end], stop_sequence: null };
    send('message_delta', { delta, usage: { output_tokens: tokens.output } });
    send('message_stop');
  },
  malformed(response) {
    const send = openEvents(response);
    send('{"type": "message_start", "message": ', 'message_start');
    response.end();
  },
};

/** Older models give JSON as the argument of a tool that they have to call. */
const answersByTool = ({ tools }: Record<string, unknown>): boolean =>
  Array.isArray(tools) && tools.some((tool: { name?: string }) => tool.name === 'json');
