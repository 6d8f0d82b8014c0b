import { count } from '../../../core/contract/index.ts';
import {
  mergedTo,
  type ProjectRow,
  type TaskRequestBody,
  type TaskRow,
  type TaskState,
} from '../../../core/contract/tasks/index.ts';
import type { App } from '../../app/app.ts';
import { ownerAt } from '../../app/asker.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import { AGENT_LOG } from '../../app/tasks/index.ts';
import { type CommandCode, type Given, oneOf } from '../command.ts';
import { type Context, note, print, printJson } from '../context.ts';
import { onlyColours } from '../render/text/clean.ts';
import { agreeToPush } from '../task/agree-to-push.ts';
import { driveInBackground } from '../task/background.ts';
import { withoutSecrets } from '../task/hidden.ts';
import { ring } from '../task/ring.ts';
import { stayWithTask, tellOutput } from '../task/stay.ts';
import { taskLines, taskRowLine } from '../task/words.ts';
import { withApp } from '../with-app.ts';

const BY = ownerAt('terminal');

type Verb = (app: App, context: Context, given: Given, words: readonly string[]) => Promise<ExitCode>;

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const [verb = 'list', ...words] = given.positionals;
      const does = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
      if (does === undefined) throw new AppError('usage', `usage: planwright ${given.usage}`);
      return does(app, context, given, words);
    }),
};

const verbs: Record<string, Verb> = {
  list: async (app, context, given) => {
    await listTasks(app, context, given);
    return exitCodes.done;
  },
  new: create,
  show: async (app, context, given, [named]) => {
    const look = withoutSecrets(app, await app.tasks.look((await meant(app, given, named)).id));
    if (given.flag('json')) printJson(context, look);
    else {
      const asked = withoutSecrets(app, await app.tasks.asked(look.row.id));
      print(context, taskLines(look, asked).join('\n'));
    }
    return exitCodes.done;
  },
  start: async (app, context, given, [named]) => moveOn(app, context, given, await meant(app, given, named)),
  // What its agent asks comes first: the task itself does not wait meanwhile.
  approve: async (app, context, given, [named]) => {
    const row = await meant(app, given, named);
    if ((await app.tasks.asked(row.id)) === null) return moveOn(app, context, given, row);
    return decide(app, context, given, row, 'approve');
  },
  deny: async (app, context, given, [named]) =>
    decide(app, context, given, await meant(app, given, named), 'deny'),
  move: async (app, context, given, [named, to]) => {
    if (to === undefined) throw new AppError('usage', `usage: planwright task move TASK STATUS`);
    return ask(app, context, given, await meant(app, given, named), moveTo(given, to));
  },
  wait: async (app, context, given, [named]) => {
    const { id } = await meant(app, given, named);
    return stay(app, context, id, { after: await app.streams.lastSeq(id), json: given.flag('json') });
  },
  stop: async (app, context, given, [named]) =>
    ask(app, context, given, await meant(app, given, named), { type: 'stop-requested' }),
  close: async (app, context, given, [named]) =>
    ask(app, context, given, await meant(app, given, named), { type: 'close-requested' }),
  answer: async (app, context, given, [named, ...said]) =>
    ask(app, context, given, await meant(app, given, named), {
      type: 'answer-given',
      text: textOf(said, 'answer'),
    }),
  comment: async (app, context, given, [named, ...said]) => {
    const row = await meant(app, given, named);
    const on = oneOf(given, 'on', ['plan', 'branch']) ?? (row.branch === null ? 'plan' : 'branch');
    const body: TaskRequestBody = {
      type: 'comment-requested',
      on,
      text: textOf(said, 'comment'),
      ...placeIn(given),
    };
    return ask(app, context, given, row, body);
  },
  merge: async (app, context, given, [named]) => {
    const row = await meant(app, given, named);
    const how = given.flag('pull-request') ? 'pull-request' : given.flag('squash') ? 'squash' : 'merge';
    const to = how === 'pull-request' ? { to: await agreeToPush(app, context, given, row) } : {};
    return ask(app, context, given, row, { type: 'merge-requested', how, ...to });
  },
  logs,
};

const textOf = (words: readonly string[], verb: string): string => {
  const text = words.join(' ').trim();
  if (text === '') throw new AppError('usage', `there is no text; usage: planwright task ${verb} TASK TEXT`);
  return text;
};

function placeIn(given: Given): { line?: number; file?: string } {
  const said = given.text('line');
  if (said === undefined) return {};
  const [, file, line] = /^(?:(.+):)?(\d{1,7})$/.exec(said) ?? [];
  if (line === undefined)
    throw new AppError('usage', `--line takes FILE:N or N, not ${JSON.stringify(said)}`);
  return { line: Number(line), ...(file === undefined ? {} : { file }) };
}

export const projectMeant = (app: App, given: Given): Promise<ProjectRow> =>
  app.projects.find(given.text('project'), app.workspace);

async function meant(app: App, given: Given, named: string | undefined): Promise<TaskRow> {
  if (named === undefined) throw new AppError('usage', `which task? usage: planwright ${given.usage}`);
  return app.tasks.find(named);
}

async function create(app: App, context: Context, given: Given, words: readonly string[]): Promise<ExitCode> {
  const { id: project } = await projectMeant(app, given);
  const about = given.text('about');
  const described = given.text('description');
  const id = await app.tasks.create({
    project,
    by: BY,
    text: {
      title: textOf(words, 'new'),
      description: described === '-' ? await everything(context) : (described ?? ''),
      kind: given.flag('bug') ? 'bug' : 'feature',
      priority: oneOf(given, 'priority', ['low', 'normal', 'high', 'urgent']) ?? 'normal',
      dependencies: given.list('after'),
      ...(about === undefined ? {} : { related: about }),
    },
  });
  if (given.flag('wait')) return moveOn(app, context, given, await app.tasks.find(id));
  if (given.flag('json')) printJson(context, { id });
  else {
    print(context, id);
    note(context, `planwright task start ${id} --wait begins it.`);
  }
  return exitCodes.done;
}

async function everything({ stdin }: Context): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** The first way that is open to a person and does not end it. */
async function moveOn(app: App, context: Context, given: Given, row: TaskRow): Promise<ExitCode> {
  const { ways, state } = await app.tasks.look(row.id);
  if (mergedTo(state) !== null)
    throw new AppError(
      'refused',
      `it is ${row.statusTitle.toLowerCase()}, and merged by planwright task merge ${row.id}; planwright task move ${row.id} STATUS takes it elsewhere`,
    );
  const onwards = ways.filter(
    ({ to }) => state.pipeline?.statuses.find(({ name }) => name === to)?.kind !== 'ended',
  );
  const way = onwards.find(({ against }) => against === null) ?? onwards[0];
  if (way === undefined)
    throw new AppError('refused', `a task that is ${row.statusTitle.toLowerCase()} is not moved on by hand`);
  if (way.against !== null) throw new AppError('refused', `${way.title}: ${way.against}`);
  return ask(app, context, given, row, moveTo(given, way.to));
}

/** On what its agent wants to do. */
async function decide(
  app: App,
  context: Context,
  given: Given,
  row: TaskRow,
  decision: 'approve' | 'deny',
): Promise<ExitCode> {
  const after = await app.streams.lastSeq(row.id);
  await app.tasks.decide(row.id, decision, { by: BY, reason: given.text('reason') });
  if (given.flag('wait'))
    return codeOf(await stayWithTask(app, context, row.id, { after, json: given.flag('json') }));
  if (given.flag('json')) printJson(context, { id: row.id, decision });
  else note(context, decision === 'approve' ? 'Approved, this once.' : 'Denied. The agent is told so.');
  return exitCodes.done;
}

function moveTo(given: Given, to: string): TaskRequestBody {
  const [agent, reason] = [given.text('agent'), given.text('reason')];
  return {
    type: 'move-requested',
    to,
    ...(agent === undefined ? {} : { agent }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Asks it, and stays with what comes of it where that was wanted. */
async function ask(
  app: App,
  context: Context,
  given: Given,
  row: TaskRow,
  body: TaskRequestBody,
): Promise<ExitCode> {
  const [json, wait] = [given.flag('json'), given.flag('wait')];
  const after = await app.streams.lastSeq(row.id);
  await app.tasks.ask(row.id, body, { by: BY });
  if (wait) return stay(app, context, row.id, { after, json });
  const now = withoutSecrets(app, await app.tasks.find(row.id));
  if (json) printJson(context, now);
  else note(context, `${now.id}: ${now.statusTitle}${now.message === null ? '' : `. ${now.message}`}`);
  if (now.goesOn || now.awaits !== null)
    note(
      context,
      driveInBackground(context, row.id)
        ? `It is worked on in the background. planwright task wait ${row.id} stays with it, planwright task stop ${row.id} ends it.`
        : `planwright task wait ${row.id}, planwright serve or planwright worker --watch works on it.`,
    );
  if (body.type !== 'merge-requested') return exitCodes.done;
  const { mergeFailure } = await app.tasks.state(row.id);
  return mergeFailure === null ? exitCodes.done : exitCodes.failed;
}

async function stay(
  app: App,
  context: Context,
  id: string,
  from: { after: number; json: boolean },
): Promise<ExitCode> {
  const state = await stayWithTask(app, context, id, from);
  ring(context, await app.tasks.find(id));
  return codeOf(state);
}

/** Whether somebody has to see to it, for scripts. */
function codeOf({ pipeline, status, question }: TaskState): ExitCode {
  const kind = pipeline?.statuses.find(({ name }) => name === status)?.kind;
  if (kind === 'ended') return exitCodes.done;
  return question !== null || status === 'stuck' ? exitCodes.needsPerson : exitCodes.done;
}

export async function listTasks(app: App, context: Context, given: Given): Promise<void> {
  const named = given.text('project');
  const project = named === undefined ? undefined : (await app.projects.find(named, app.workspace)).id;
  const all = await app.tasks.list({ limit: 1000, ...(project === undefined ? {} : { project }) });
  const rows = withoutSecrets(
    app,
    all.filter(({ endedAt }) => given.flag('all') || endedAt === null),
  );
  if (given.flag('json')) printJson(context, rows);
  else if (rows.length === 0)
    note(
      context,
      all.length === 0
        ? 'There are no tasks yet: planwright task new "TITLE"'
        : `${count(all.length, 'task')}, all over: --all lists them.`,
    );
  else for (const row of rows) print(context, taskRowLine(row, Date.now()));
}

async function logs(app: App, context: Context, given: Given, words: readonly string[]): Promise<ExitCode> {
  const { phases } = await app.tasks.state((await meant(app, given, words[0])).id);
  const phase = words[1] === undefined ? phases.at(-1) : phases.find(({ n }) => n === Number(words[1]));
  if (phase === undefined) throw new AppError('usage', 'no agent has worked on it yet');
  const row = await app.streams.row(phase.run);
  const isLive = given.flag('follow') && row !== null && row.endedAt === null;
  for (let attempt = 1; ; attempt += 1) {
    if (isLive) await tellOutput(app, context, phase.run, new AbortController().signal);
    const { size } = await app.streams.output.read(phase.run, AGENT_LOG, attempt, 0, 1);
    if (isLive || size === 0) break;
    await copy(app, context, phase.run, attempt);
  }
  return exitCodes.done;
}

async function copy(app: App, context: Context, run: string, attempt: number): Promise<void> {
  const clean = onlyColours();
  for (let offset = 0; ; ) {
    const { bytes, next } = await app.streams.output.read(run, AGENT_LOG, attempt, offset, 1 << 20);
    if (next === offset) break;
    offset = next;
    context.stdout.write(clean(bytes));
  }
}
