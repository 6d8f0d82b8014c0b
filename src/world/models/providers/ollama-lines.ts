import type { ProviderFetch } from './fetch.ts';

/**
 * Ollama answers in lines of JSON of which the last says that it is done. The SDK prints lines that it cannot read and
 * goes on, and takes an end without that line for an end; here both are errors.
 */
export const strictLines =
  (fetch: ProviderFetch): ProviderFetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const isStream = response.headers.get('content-type')?.includes('ndjson') === true;
    if (!response.ok || !isStream || response.body === null) return response;
    const { status, headers } = response;
    return new Response(response.body.pipeThrough(checkLines()), { status, headers });
  };

function checkLines(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  let rest = '';
  let isDone = false;
  const read = (line: string) => {
    if (line.trim() === '') return;
    isDone = (JSON.parse(line) as { done?: boolean }).done === true;
  };
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      try {
        for (const line of lines) read(line);
        controller.enqueue(chunk);
      } catch {
        controller.error(new Error('what came was not JSON'));
      }
    },
    flush(controller) {
      try {
        read(rest);
      } catch {
        controller.error(new Error('what came was not JSON'));
        return;
      }
      if (!isDone) controller.error(new Error('the answer broke off'));
    },
  });
}
