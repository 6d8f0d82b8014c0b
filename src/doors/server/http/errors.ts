import type { ErrorBody } from '../../../core/contract/index.ts';
import { StoreError } from '../../../world/store/index.ts';
import { CheckpointError } from '../../../world/workspace/index.ts';
import { AppError, type AppErrorCode } from '../../app/errors.ts';

/** An answer that is no success, as a handler throws it. The message is a sentence for a person. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly code: string;
  readonly problems: ErrorBody['error']['problems'];

  constructor(status: number, code: string, message: string, problems?: ErrorBody['error']['problems']) {
    super(message);
    this.status = status;
    this.code = code;
    this.problems = problems;
  }
}

/** What is not here is something to put right in what was sent. */
const ofApp: Partial<Record<AppErrorCode, number>> = {
  usage: 400,
  'file-missing': 404,
  'no-such-run': 404,
  'no-such-stream': 404,
  'not-allowed': 403,
  'ambiguous-run': 409,
  'no-such-step': 404,
  'run-unfinished': 409,
  elsewhere: 409,
  refused: 409,
};

const ofStore: Partial<Record<StoreError['code'], number>> = {
  'stream-unknown': 404,
  'store-locked': 503,
  'store-closed': 503,
  'disk-full': 507,
};

/** What to tell the other side. Of what nobody foresaw it says nothing but that: it may hold anything. */
export function answerFor(error: unknown): { status: number; body: ErrorBody; isUnforeseen: boolean } {
  const known = (
    status: number,
    code: string,
    message: string,
    problems?: ErrorBody['error']['problems'],
  ) => ({
    status,
    body: { error: { code, message, ...(problems === undefined ? {} : { problems }) } },
    isUnforeseen: false,
  });
  if (error instanceof HttpError) return known(error.status, error.code, error.message, error.problems);
  if (error instanceof AppError) return known(ofApp[error.code] ?? 422, error.code, error.message);
  if (error instanceof StoreError) return known(ofStore[error.code] ?? 500, error.code, error.message);
  if (error instanceof CheckpointError) return known(409, error.code, error.message);
  const message = 'this should not have happened; the terminal that planwright serve runs in says more';
  return { ...known(500, 'internal', message), isUnforeseen: true };
}

export const errorResponse = (status: number, body: ErrorBody): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** The same for somebody who looks at it in a browser. */
export function errorPage(status: number, { error }: ErrorBody): Response {
  const text = error.message.replaceAll(/[&<>"]/g, (char) => escapes[char]!);
  const sentence = text.slice(0, 1).toUpperCase() + text.slice(1);
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Planwright</title><body style="font:15px/1.5 system-ui,sans-serif;margin:12vh auto;max-width:34em;padding:0 1em;color-scheme:light dark">
<h1 style="font-size:18px">${status === 401 ? 'Planwright does not let you in' : 'Planwright cannot show this'}</h1><p>${sentence}.</p>${status === 401 ? '<p><a href="/">Come in by a token</a></p>' : ''}</body></html>
`;
  return new Response(page, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}
