import { z } from 'zod';
import { Mode, Problem, RunRow, WaitingFor } from '../../../core/contract/index.ts';
import { beginRun } from '../../app/begin-run.ts';
import { AppError } from '../../app/errors.ts';
import { rowWithout } from '../../app/secrets.ts';
import { attendRun, untilRest } from '../attend.ts';
import { Asks, looks, tool, type Visit } from '../desk.ts';
import { folderFor, isOpenTo, mustBeTrusted, runOf } from '../folders.ts';
import { Asked, askedOf, EventShown, RunShown, showRun, tellEvents } from '../shown.ts';
import { Tail, tailOf } from '../tail.ts';
import { source, textOf, workspace } from './plans.ts';

const run = z.string().min(4).max(64).describe('The id of a run, or its beginning');
const wait = z.int().min(0).max(600);

export const runTool = tool({
  name: 'run',
  title: 'Run a plan, a runbook or a goal',
  about:
    'Makes a run in a trusted folder: of a goal in words (which is planned first), of a plan file or of a runbook. It waits until a person agrees to the plan in Planwright; dangerous steps are asked about one by one. Answers with the id of the run: attend_run or watch_run say what becomes of it.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    goal: z.string().min(1).max(20_000).optional().describe('What is wanted, in words'),
    ...source,
    workspace: workspace(),
    mode: Mode.optional(),
    inputs: z.record(z.string().max(200), z.string().max(100_000)).optional(),
    key: z.string().min(8).max(200).optional().describe('The same key twice makes one run'),
    waitSeconds: wait.default(0).describe('Stay with it for so long, until it goes no further by itself'),
  }),
  output: RunShown.extend({ problems: z.array(Problem) }),
  async call({ waitSeconds, ...given }, visit) {
    const begun = visit.round === null ? await begin(given, visit) : { id: visit.round.run, problems: [] };
    const { id } = await runOf(visit.desk.app, visit.caller, begun.id);
    // A task is asked for what it comes to, and puts its questions there.
    const at = await (visit.caller.hasTasks
      ? visit.desk.app.runs.state(id)
      : attendRun(visit, id, waitSeconds));
    if (at instanceof Asks) return at;
    return { ...(await showRun(visit.desk, id, at)), problems: begun.problems };
  },
});

type Wanted = { goal?: string | undefined; workspace?: string | undefined } & Parameters<typeof textOf>[1] & {
    mode?: z.infer<typeof Mode> | undefined;
    inputs?: Record<string, string> | undefined;
    key?: string | undefined;
  };

async function begin({ goal, workspace: named, mode, inputs, key, ...given }: Wanted, visit: Visit) {
  const { desk, caller } = visit;
  const folder = folderFor(caller, named);
  mustBeTrusted(desk.app, folder);
  await desk.app.streams.admit(caller.asker, 'ask', 'createRun');
  const meant = textOf(folder, given);
  if ((goal === undefined) === (meant === null))
    throw new AppError('usage', 'give one of goal, plan, runbook and file');
  const begun = await beginRun(desk.app, desk.env, {
    source: goal === undefined ? meant! : { goal },
    workspace: folder,
    ...(mode === undefined ? {} : { mode }),
    ...(inputs === undefined ? {} : { inputs }),
    ...(key === undefined ? {} : { key }),
  });
  if (!begun.ok) {
    const first = begun.problems.find(({ severity }) => severity === 'error') ?? begun.problems[0];
    throw new AppError('plan-invalid', `${first?.message ?? 'this is no plan'} validate_plan says all`);
  }
  desk.drivers.dispatch(begun.id);
  return { id: begun.id, problems: begun.problems };
}

export const attend = tool({
  name: 'attend_run',
  title: 'Stay with a run',
  about:
    'Stays with a run until it goes no further by itself, takes it up where nobody drives it, and puts what it asks to the person where they have named this client in Planwright (clients.decide). Otherwise says where the person decides.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({ run, waitSeconds: wait.default(60) }),
  output: RunShown,
  async call({ run: named, waitSeconds }, visit) {
    const { id } = await runOf(visit.desk.app, visit.caller, named);
    const at = await attendRun(visit, id, waitSeconds);
    return at instanceof Asks ? at : showRun(visit.desk, id, at);
  },
});

export const watch = tool({
  name: 'watch_run',
  title: 'Watch a run',
  about:
    'The state of a run, its events since a place in its journal, and the end of what a step printed. Changes nothing.',
  hints: looks,
  input: z.strictObject({
    run,
    after: z.int().min(0).optional().describe('Events after this place; none where it is left out'),
    limit: z.int().min(1).max(500).default(100),
    waitSeconds: wait.default(0).describe('Wait for so long, until it goes no further by itself'),
    step: z.string().max(200).optional().describe('Whose output: its number, id or title'),
    attempt: z.int().min(0).max(1_000_000).optional(),
    bytes: z.int().min(1).max(65_536).default(8192).describe('So much of the end of its output'),
  }),
  output: RunShown.extend({ events: z.array(EventShown), output: Tail.nullable() }),
  async call({ run: named, after, limit, waitSeconds, step, attempt, bytes }, visit) {
    const { desk, caller } = visit;
    const { id } = await runOf(desk.app, caller, named);
    const state = await untilRest(visit, id, waitSeconds);
    const events = after === undefined ? [] : await desk.app.streams.read(id, after, limit);
    return {
      ...(await showRun(desk, id, state)),
      events: tellEvents(desk, state, events),
      output: step === undefined ? null : await tailOf(desk.app, id, state, step, { attempt, bytes }),
    };
  },
});

export const cancel = tool({
  name: 'cancel_run',
  title: 'Cancel a run',
  about: 'Ends a run: the step at hand is ended, later ones are not begun. What was done stays done.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ run, reason: z.string().max(1000).optional() }),
  output: RunShown,
  async call({ run: named, reason }, visit) {
    const { desk, caller } = visit;
    const { id, state } = await runOf(desk.app, caller, named);
    if (!state.ended) await cancelRun(visit, id, reason);
    return showRun(desk, id, await untilRest(visit, id, 30));
  },
});

export async function cancelRun({ desk, caller }: Visit, id: string, reason?: string): Promise<void> {
  const why = reason === undefined ? {} : { reason };
  await desk.app.runs.request(id, { type: 'cancel-requested', ...why }, { by: caller.asker });
  desk.drivers.dispatch(id);
}

const most = 200;

export const listWaiting = tool({
  name: 'list_waiting',
  title: 'What waits for a person',
  about:
    'The runs in the roots of the client that wait for a person, with what each asks and where it is decided.',
  hints: looks,
  input: z.strictObject({}),
  output: z.object({
    waiting: z.array(z.object({ run: z.string(), goal: z.string(), workspace: z.string(), question: Asked })),
  }),
  async call(_, { desk, caller }) {
    const rows = (await desk.app.runs.waiting(most)).filter((row) => isOpenTo(caller, row.workspace));
    const waiting = [];
    for (const row of rows) {
      const exact = await desk.app.runs.state(row.id);
      const redactor = desk.app.redactorFor(exact);
      const question = await askedOf(desk, row.id, redactor.value(exact));
      const { id, goal, workspace: folder } = redactor.value(row);
      if (question !== null) waiting.push({ run: id, goal, workspace: folder, question });
    }
    return { waiting };
  },
});

const Row = z.object({
  run: z.string(),
  goal: z.string(),
  workspace: z.string(),
  state: RunRow.shape.state,
  waitingFor: WaitingFor.nullable(),
  stepsDone: z.int(),
  stepsTotal: z.int(),
  updatedAt: z.number(),
});

export const listRuns = tool({
  name: 'list_runs',
  title: 'List runs',
  about: 'The runs in the roots of the client, the newest first.',
  hints: looks,
  input: z.strictObject({
    state: RunRow.shape.state.optional(),
    text: z.string().max(500).optional().describe('In the goal or the titles of steps'),
    limit: z.int().min(1).max(100).default(20),
  }),
  output: z.object({ runs: z.array(Row) }),
  call: async ({ state, text, limit }, visit) => ({ runs: await rowsOf(visit, { state, text, limit }) }),
});

export async function rowsOf(
  { desk: { app }, caller }: Visit,
  { state, text, limit }: { state?: RunRow['state'] | undefined; text?: string | undefined; limit: number },
): Promise<z.infer<typeof Row>[]> {
  const found = await app.runs.list({
    limit: 1000,
    ...(state === undefined ? {} : { state: [state] }),
    ...(text === undefined ? {} : { text }),
  });
  const rows = found.filter((row) => isOpenTo(caller, row.workspace)).slice(0, limit);
  return Promise.all(
    rows.map(async (exact) => {
      const row = rowWithout(exact, app.redactorFor(await app.runs.state(exact.id)));
      const { goal, workspace: folder, stepsDone, stepsTotal, updatedAt } = row;
      return {
        ...{ run: row.id, goal, workspace: folder, state: row.state, waitingFor: row.waitingFor },
        ...{ stepsDone, stepsTotal, updatedAt },
      };
    }),
  );
}
