import type { Script } from './script.ts';
import { openEvents, type Protocol, startWire, type WireServer } from './server.ts';

/** `models/NAME:streamGenerateContent` of the Gemini API. */
export const startGoogle = (script: Script): Promise<WireServer> => startWire(protocol, script);

const statuses: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
};

const protocol: Protocol = {
  basePath: '/v1beta',
  errorBody: (code, message) => ({ error: { code, message, status: statuses[code] ?? 'UNKNOWN' } }),
  write({ pieces, calls, tokens, end }, _request, response) {
    const send = openEvents(response);
    const usageMetadata = {
      promptTokenCount: tokens.input,
      candidatesTokenCount: tokens.output,
      totalTokenCount: tokens.input + tokens.output,
    };
    const part = (text: string, more: object = {}) =>
      send({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...more }] });
    if (end !== 'refusal') for (const text of pieces) part(text);
    for (const { name, input } of calls) {
      const parts = [{ functionCall: { name, args: JSON.parse(input) } }];
      send({ candidates: [{ index: 0, content: { role: 'model', parts } }] });
    }
    if (end === 'stall' || end === 'truncated' || end === 'broken') return;
    // It says nothing where it refuses, and why in one word.
    const reasons = { stop: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' };
    const candidate = { index: 0, content: { role: 'model', parts: [] }, finishReason: reasons[end] };
    send({ candidates: [candidate], usageMetadata });
  },
  malformed(response) {
    openEvents(response)('{"candidates": [{"content": ');
    response.end();
  },
};
