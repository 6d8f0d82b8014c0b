import type { ServerResponse } from 'node:http';
import type { Script } from './script.ts';
import { type Protocol, startWire, type WireServer } from './server.ts';

/** `/api/chat`, `/api/tags` with these models, and `/api/show`: all see but those that are called blind. */
export const startOllama = (
  script: Script,
  models: readonly { name: string; size?: number }[] = [{ name: 'mistral:7b-instruct' }],
): Promise<WireServer> =>
  startWire(
    {
      ...protocol,
      look({ path, body }, response) {
        if (path === '/api/show') {
          const capabilities = ['completion', ...(String(body['model']).includes('blind') ? [] : ['vision'])];
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ capabilities }));
          return true;
        }
        if (path !== '/api/tags') return false;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ models: models.map((model) => ({ model: model.name, ...model })) }));
        return true;
      },
    },
    script,
  );

const open = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  return (line: object): void => void response.write(`${JSON.stringify(line)}\n`);
};

const protocol: Protocol = {
  basePath: '',
  errorBody: (_status, message) => ({ error: message }),
  /** Ollama has no word for a refusal: the model says it in its own. */
  write({ pieces, calls, tokens, end }, { body }, response) {
    const send = open(response);
    const base = { model: body['model'], created_at: '2026-11-15T00:00:00Z' };
    for (const content of pieces) send({ ...base, message: { role: 'assistant', content }, done: false });
    if (calls.length > 0) {
      const tool_calls = calls.map(({ name, input }) => ({
        function: { name, arguments: JSON.parse(input) },
      }));
      send({ ...base, message: { role: 'assistant', content: '', tool_calls }, done: false });
    }
    if (end === 'stall' || end === 'truncated' || end === 'broken') return;
    send({
      ...base,
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: end === 'length' ? 'length' : 'stop',
      total_duration: 1,
      prompt_eval_count: tokens.input,
      eval_count: tokens.output,
    });
  },
  malformed(response) {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.end('{"message": {"role": \n');
  },
};
