import type { z } from 'zod';
import { ChatRequestBody, RequestBody, type StreamRow } from '../../../core/contract/index.ts';
import { ScheduleRequestBody } from '../../../core/contract/schedules/index.ts';
import { AgentRequestBody, ProjectRequestBody, TaskRequestBody } from '../../../core/contract/tasks/index.ts';
import { HttpError } from '../http/errors.ts';
import { createSources } from '../streams/sources.ts';
import { type Desk, type Handlers, parse } from './handler.ts';
import { cursorOf, lastSeq, readCursor } from './places.ts';
import { askRun } from './runs.ts';

type Names = 'listStreams' | 'getStream' | 'getStreamEvents' | 'followStream' | 'askOfStream';

/** Streams of whatever kind: what can be done without knowing more of one than its row says. */
export function streamRoutes(desk: Desk): Handlers<Names> {
  const { app, views, streams, drivers } = desk;
  const source = createSources(app, views);
  return {
    async listStreams({ query }) {
      const { kind, state, workspace, text, limit, cursor } = query;
      const rows = await app.streams.list<StreamRow>({
        ...(kind === undefined ? {} : { kind }),
        ...(state === undefined ? {} : { state: state.split(',') }),
        ...(workspace === undefined ? {} : { workspace }),
        ...(text === undefined ? {} : { text }),
        ...(cursor === undefined ? {} : { before: readCursor(cursor) }),
        limit: limit + 1,
      });
      const page = rows.slice(0, limit);
      return { streams: await views.rows(page), next: rows.length > limit ? cursorOf(page.at(-1)!) : null };
    },
    async getStream({ params }) {
      const id = params['id']!;
      const { exact, seq, redactor } = await views.any(id);
      const row = await app.streams.row<StreamRow>(id);
      if (row === null) throw noStream(id);
      return { id, seq, row: redactor.value(row), state: redactor.value(exact) as Record<string, unknown> };
    },
    async getStreamEvents({ params, query }) {
      const id = params['id']!;
      const last = await app.streams.lastSeq(id);
      if (last === 0) throw noStream(id);
      const events = await app.streams.read(id, query.after, query.limit);
      return { events: events.length === 0 ? [] : await views.hide(id, events, query.expand), last };
    },
    async followStream({ params, query, request }) {
      const id = params['id']!;
      if ((await app.streams.lastSeq(id)) === 0) throw noStream(id);
      return streams.open(source(id, lastSeq(request) ?? query.after ?? 0, query.expand));
    },
    async askOfStream({ params, body, asker }) {
      const id = params['id']!;
      const { kind } = await views.any(id);
      if (body.request.type === 'agree-requested')
        throw new HttpError(
          400,
          'invalid',
          'what a schedule agrees to is read here: POST /schedules/ID/agree',
        );
      const key = body.key === undefined ? {} : { key: body.key };
      const seq =
        kind.name === 'run'
          ? await askRun(desk, id, parse(RequestBody, body.request, 'the request'), { by: asker, ...key })
          : kind.name === 'task'
            ? await app.tasks.request(id, parse(TaskRequestBody, body.request, 'the request'), {
                by: asker,
                ...key,
              })
            : await app.streams.request(id, requestOf(kind.name, body.request), { by: asker, ...key });
      drivers.dispatch(id);
      return { seq };
    },
  };
}

/** What is written down for ever is checked first; of a kind that this door does not know, its type alone is known. */
function requestOf(kind: string, request: { type: string }): { type: string } {
  const schema = bodies[kind];
  return schema === undefined ? request : parse(schema, request, 'the request');
}

const bodies: Readonly<Record<string, z.ZodType<{ type: string }>>> = {
  chat: ChatRequestBody,
  project: ProjectRequestBody,
  'agent-run': AgentRequestBody,
  schedule: ScheduleRequestBody,
};

const noStream = (id: string) =>
  new HttpError(404, 'no-such-stream', `there is no stream ${JSON.stringify(id)}`);
