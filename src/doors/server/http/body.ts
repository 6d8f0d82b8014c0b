import { HttpError } from './errors.ts';

const maxBodyBytes = 1024 * 1024;
const deepest = 64;

/** The JSON that a request carries. Throws an HttpError that says what is wrong with it. */
export async function readJson(request: Request, mostBytes = maxBodyBytes): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new HttpError(415, 'not-json', 'send JSON, with Content-Type: application/json');
  }
  const text = await readText(request, mostBytes);
  if (depthOf(text) > deepest) {
    throw new HttpError(400, 'too-deep', `the JSON is nested more than ${deepest} levels deep`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new HttpError(400, 'malformed', `this is not JSON: ${why.slice(0, 200)}`);
  }
}

/**
 * No more than the limit is ever held, whatever Content-Length says. hono's `bodyLimit` begins to read before it refuses,
 * and the connection is then cut under a sender who never hears why.
 */
async function readText(request: Request, mostBytes: number): Promise<string> {
  const most = mostBytes === maxBodyBytes ? '1 MB' : `${mostBytes / 1e6} MB`;
  const tooLarge = () => new HttpError(413, 'too-large', `a request may be ${most} at most`);
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > mostBytes) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new HttpError(400, 'malformed', 'the text of the request is not UTF-8');
  }
}

/** How deep brackets nest outside of strings. */
function depthOf(text: string): number {
  let [depth, most, isText] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isText) {
      if (char === '\\') at++;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === '{' || char === '[') most = Math.max(most, ++depth);
    else if (char === '}' || char === ']') depth--;
  }
  return most;
}
