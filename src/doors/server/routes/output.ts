import { setTimeout as sleep } from 'node:timers/promises';
import {
  elsewhere,
  outputHeaders,
  planStep,
  type Routes,
  type RunState,
} from '../../../core/contract/index.ts';
import type { App } from '../../app/app.ts';
import { callLog } from '../../app/live-text.ts';
import { AGENT_LOG } from '../../app/tasks/index.ts';
import { HttpError } from '../http/errors.ts';
import type { View } from '../views.ts';
import type { Call, Desk, Handlers } from './handler.ts';

const pieceBytes = 256 * 1024;
const lookMs = 50;

interface Log {
  run: string;
  stepId: string;
  attempt: number;
}

export function outputRoutes({
  app,
  views,
  streams,
}: Desk): Handlers<'readOutput' | 'outputErrors' | 'readCallText' | 'readAgentOutput'> {
  return {
    async readOutput(call) {
      const log = logOf(call);
      const view = await views.view(log.run);
      if (planStep(view.exact, log.stepId) === undefined) {
        throw new HttpError(
          404,
          'no-such-step',
          `there is no step ${JSON.stringify(log.stepId)} in this run`,
        );
      }
      const away = elsewhere(view.exact.place, app.driver.host);
      if (away !== null && (await readAt(app, log, 0, 1)).size === 0) {
        throw new HttpError(409, 'elsewhere', away);
      }
      return call.query.download === undefined ? part(app, view, log, call, streams) : whole(app, view, log);
    },
    async outputErrors(call) {
      const log = logOf(call);
      await views.view(log.run);
      return { ranges: await app.streams.output.errors(log.run, log.stepId, log.attempt) };
    },
    async readAgentOutput(call) {
      const log = { ...logOf(call), stepId: AGENT_LOG };
      if ((await app.streams.kindOf(log.run)) !== 'agent-run')
        throw new HttpError(404, 'no-such-stream', `there is no agent run ${JSON.stringify(log.run)}`);
      const view = (await views.any(log.run)) as View<RunState>;
      return call.query.download === undefined ? part(app, view, log, call, streams) : whole(app, view, log);
    },
    async readCallText(call) {
      const { id: run = '', callId = '' } = call.params;
      if (!/^[\w-]{1,64}$/.test(callId)) throw new HttpError(404, 'no-such-call', 'there is no such call');
      const log = { run, stepId: callLog(callId), attempt: 0 };
      // Of a conversation too: what is written there was filtered.
      const isChat = (await app.streams.kindOf(run)) === 'chat';
      const view = isChat ? ((await views.any(run)) as View<RunState>) : await views.view(run);
      return call.query.download === undefined ? part(app, view, log, call, streams) : whole(app, view, log);
    },
  };
}

function logOf({ params }: Pick<Call<Routes['readOutput']>, 'params'>): Log {
  const attempt = params['attempt'] ?? '';
  if (!/^\d{1,6}$/.test(attempt))
    throw new HttpError(400, 'invalid', 'an attempt is a number; the first is 0');
  return { run: params['id']!, stepId: params['stepId']!, attempt: Number(attempt) };
}

const readAt = (app: App, { run, stepId, attempt }: Log, offset: number, limit: number) =>
  app.streams.output.read(run, stepId, attempt, offset, limit);

/** A service writes its log itself; everything else was filtered before it was written. */
const isUnfiltered = ({ exact, kind }: View<RunState>, { stepId }: Log): boolean => {
  if (kind.name !== 'run') return false;
  const action = planStep(exact, stepId)?.action;
  return action?.kind === 'start' || (action !== undefined && 'do' in action && action.do.kind === 'start');
};

async function part(
  app: App,
  view: View<RunState>,
  log: Log,
  { query, request }: Call<Routes['readOutput' | 'readCallText' | 'readAgentOutput']>,
  streams: Desk['streams'],
): Promise<Response> {
  const { offset, limit, wait } = query;
  const until = Date.now() + wait;
  let chunk = await readAt(app, log, offset, limit);
  while (chunk.bytes.length === 0 && !chunk.isEnded && Date.now() < until) {
    if (request.signal.aborted || streams.isEnded()) break;
    await sleep(lookMs);
    chunk = await readAt(app, log, offset, limit);
  }
  const bytes = isUnfiltered(view, log) ? await filtered(app, view, log, offset, chunk) : chunk.bytes;
  return new Response(Buffer.from(bytes), {
    headers: {
      'content-type': 'application/octet-stream',
      'cache-control': 'no-store',
      [outputHeaders.next]: `${chunk.next}`,
      [outputHeaders.size]: `${chunk.size}`,
      [outputHeaders.ended]: `${chunk.isEnded}`,
      [outputHeaders.noted]: `${chunk.noted}`,
    },
  });
}

/**
 * A secret may lie across two parts, so the filter has to have seen all that came before: what it lets out for this
 * part is what follows what it let out for the earlier ones.
 */
async function filtered(
  app: App,
  { redactor }: View,
  log: Log,
  offset: number,
  chunk: { bytes: Uint8Array; next: number; size: number; isEnded: boolean },
): Promise<Uint8Array> {
  const filter = redactor.bytes();
  for (let at = 0; at < offset; ) {
    const before = await readAt(app, log, at, Math.min(pieceBytes, offset - at));
    if (before.next === at) break;
    filter.write(before.bytes);
    at = before.next;
  }
  const passed = filter.write(chunk.bytes);
  return chunk.isEnded && chunk.next >= chunk.size ? Buffer.concat([passed, filter.flush()]) : passed;
}

/** All of it, as fast as it is taken. */
function whole(app: App, { redactor }: View, log: Log): Response {
  const filter = redactor.bytes();
  let offset = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await readAt(app, log, offset, pieceBytes);
        const isOver = chunk.next === offset;
        offset = chunk.next;
        const bytes = isOver ? filter.flush() : filter.write(chunk.bytes);
        if (bytes.length > 0) controller.enqueue(bytes);
        if (isOver) controller.close();
        else if (bytes.length === 0) await this.pull!(controller);
      },
    },
    { highWaterMark: 0 },
  );
  const name = `${log.run}-${log.stepId}-${log.attempt}.log`.replaceAll(/[^A-Za-z0-9._-]/g, '_');
  return new Response(body, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  });
}
