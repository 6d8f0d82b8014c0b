import {
  fingerprint,
  leanRun,
  type RequestBody,
  type RunRow,
  type ShownStep,
} from '../../../core/contract/index.ts';
import { planFileOf } from '../../app/drafts.ts';
import type { Asking } from '../../app/streams.ts';
import { HttpError } from '../http/errors.ts';
import { createSources, rowsSource, withRows } from '../streams/sources.ts';
import { createRun } from './create-run.ts';
import type { Desk, Handlers } from './handler.ts';
import { cursorOf, lastSeen, lastSeq, readCursor } from './places.ts';

type Names =
  | 'createRun'
  | 'listRuns'
  | 'getRun'
  | 'lookAtRun'
  | 'askOfRun'
  | 'removeRuns'
  | 'forkRun'
  | 'repeatRun'
  | 'planFile'
  | 'turnOfRun'
  | 'relatedRuns'
  | 'previewRun'
  | 'getEvents'
  | 'streamRun'
  | 'streamRows';

export function runRoutes(desk: Desk): Handlers<Names> {
  const { app, views, streams, drivers } = desk;
  const runSource = createSources(app, views);
  return {
    createRun: (call) => createRun(desk, call),
    async listRuns({ query }) {
      const { state, workspace, text, limit, cursor } = query;
      const rows = await app.runs.list({
        ...(state === undefined ? {} : { state: state.split(',') as RunRow['state'][] }),
        ...(workspace === undefined ? {} : { workspace }),
        ...(text === undefined ? {} : { text }),
        ...(cursor === undefined ? {} : { before: readCursor(cursor) }),
        limit: limit + 1,
      });
      const runs = rows.slice(0, limit);
      const counts = await app.streams.countStates({
        kind: 'run',
        ...(workspace === undefined ? {} : { workspace }),
        ...(text === undefined ? {} : { text }),
      });
      return {
        runs: await views.rows(runs),
        next: rows.length > limit ? cursorOf(runs.at(-1)!) : null,
        counts,
      };
    },
    async getRun({ params }) {
      const id = params['id']!;
      const { exact, redactor } = await views.view(id);
      const row = await app.streams.row<RunRow>(id);
      if (row === null) throw noRun(id);
      return { id, seq: exact.seq, row: redactor.value(row), state: redactor.value(exact) };
    },
    async lookAtRun({ params }) {
      const id = params['id']!;
      const { exact, redactor } = await views.view(id);
      const row = await app.streams.row<RunRow>(id);
      if (row === null) throw noRun(id);
      return { id, seq: exact.seq, row: redactor.value(row), state: redactor.value(leanRun(exact)) };
    },
    async askOfRun({ params, body, asker }) {
      const id = params['id']!;
      await views.view(id);
      const key = body.key === undefined ? {} : { key: body.key };
      const seq = await askRun(desk, id, body.request, { by: asker, ...key });
      drivers.dispatch(id);
      return { seq };
    },
    async forkRun({ params, body }) {
      await views.view(params['id']!);
      const fresh = await app.runs.again(params['id']!, { stepId: body.stepId });
      return { id: await app.runs.create(fresh), problems: [] };
    },
    async repeatRun({ params, body }) {
      await views.view(params['id']!);
      const fresh = await app.runs.again(params['id']!, { inputs: body.inputs });
      return { id: await app.runs.create(fresh), problems: [] };
    },
    async removeRuns({ body: { ids } }) {
      const { streams: removed } = await app.gc({ only: ids });
      return { removed, stays: ids.filter((id) => !removed.includes(id)) };
    },
    async planFile({ params }) {
      const { exact, redactor } = await views.view(params['id']!);
      return redactor.value({ text: await planFileOf(exact) });
    },
    async turnOfRun({ params }) {
      await views.view(params['id']!);
      const own = await app.streams.row<RunRow>(params['id']!);
      const undrivenSince = own?.undrivenSince ?? null;
      const found = drivers.waitsFor(params['id']!);
      const row = found === null ? null : await app.streams.row<RunRow>(found.run);
      if (found === null || row === null || row.endedAt !== null) return { waitsFor: null, undrivenSince };
      const [shown] = await views.rows([row]);
      return { waitsFor: { run: found.run, goal: shown!.goal, pid: found.pid }, undrivenSince };
    },
    async relatedRuns({ params }) {
      const related = await app.runs.related(params['id']!);
      const rows = await views.rows(related.map(({ row }) => row));
      return { links: related.map(({ how }, at) => ({ how, row: rows[at]! })) };
    },
    async previewRun({ params }) {
      const id = params['id']!;
      const { exact, redactor } = await views.view(id);
      return { revision: exact.plan?.revision ?? 0, steps: redactor.value(await app.runs.preview(id)) };
    },
    async getEvents({ params, query }) {
      const id = params['id']!;
      const last = await app.streams.lastSeq(id);
      if (last === 0) throw noRun(id);
      const events = await app.streams.read(id, query.after, query.limit);
      return { events: events.length === 0 ? [] : await views.hide(id, events, query.expand), last };
    },
    async streamRun({ params, query, request }) {
      const id = params['id']!;
      if ((await app.streams.lastSeq(id)) === 0) throw noRun(id);
      const source = runSource(id, lastSeq(request) ?? query.after ?? 0, query.expand);
      return streams.open(query.rows === 'true' ? withRows(source, app, views) : source);
    },
    streamRows: ({ query, request }) =>
      streams.open(rowsSource(app, views, lastSeen(request) ?? query.after ?? null)),
  };
}

/** Writes what is asked of a run, as it was meant. */
export async function askRun(desk: Desk, id: string, request: RequestBody, asking: Asking): Promise<number> {
  return desk.app.runs.request(id, await asShown(desk, id, request), asking);
}

const noRun = (id: string) => new HttpError(404, 'no-such-run', `there is no run ${JSON.stringify(id)}`);

/**
 * Agreeing approves dangerous steps as they were shown, and what was shown had its secrets hidden. Where a step as it
 * is now reads the same with its secrets hidden, that step was meant; otherwise the approval fits nothing, and the
 * step is asked about when its turn comes.
 */
async function asShown({ app, views }: Desk, id: string, request: RequestBody): Promise<RequestBody> {
  if (request.type !== 'plan-decided' || request.approves === undefined || request.approves.length === 0) {
    return request;
  }
  const { redactor } = await views.view(id);
  const exact = new Map(
    (await app.runs.preview(id)).map((step) => [fingerprint(redactor.value(step.subject)), step]),
  );
  const approves = request.approves.map((shown): ShownStep => exact.get(fingerprint(shown.subject)) ?? shown);
  return { ...request, approves };
}
