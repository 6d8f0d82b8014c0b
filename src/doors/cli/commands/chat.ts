import { keptChats } from '../../../core/chat/kept.ts';
import {
  type ChatRequestBody,
  type ChatRow,
  type ChatState,
  count,
  MAX_TITLE,
  Mode,
  OnAskPolicy,
  parseModelName,
  type TurnOutcome,
  turnsOf,
} from '../../../core/contract/index.ts';
import { meterWords } from '../../../core/contract/told/index.ts';
import type { App } from '../../app/app.ts';
import { ownerAt } from '../../app/asker.ts';
import type { ChatChoices } from '../../app/chat-options.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import { followChat } from '../../app/follow-chat.ts';
import { asking } from '../../app/options.ts';
import { jsonScreen, peopleScreen } from '../chat/screen.ts';
import { type ChatDesk, takeTurn } from '../chat/turn.ts';
import { atMost, type CommandCode, type Given, oneOf } from '../command.ts';
import { type Context, isAttended, note, print, printJson } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { hanging, indent, measure } from '../render/look.ts';
import { cleanOutput } from '../render/text/clean.ts';
import { withApp } from '../with-app.ts';
import { limitsIn } from './run-choices.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const [message] = atMost(given, 1);
      const json = given.flag('json');
      if (given.flag('list')) return list(app, context, json, message);
      const removed = given.text('remove');
      if (removed !== undefined) return remove(app, context, removed);
      const renamed = given.text('rename');
      if (renamed !== undefined) return rename(app, context, renamed, message);
      const attended = isAttended(context) && !json;
      if (message === undefined && !attended)
        throw new AppError(
          'usage',
          `a message is missing, and there is no terminal to type one; usage: planwright ${given.usage}`,
        );
      const id = await chatMeant(app, context, given);
      const screen = json ? jsonScreen(context) : peopleScreen(context);
      const following = followChat(app, id, screen, await app.streams.lastSeq(id));
      // Whoever only waits for what others write keeps no process alive.
      const awake = setInterval(() => {}, 60_000);
      try {
        const desk: ChatDesk = { app, context, id, following, attended, json };
        if (message === undefined) return await talk(desk);
        const text = message === '-' ? await textFrom(context) : message;
        const state = await takeTurn(desk, messageOf(text, given));
        if (!json) note(context, `planwright chat --resume ${id} goes on with it.`);
        return codeOf(state);
      } finally {
        clearInterval(awake);
        await following.stop();
      }
    }),
};

/** Conversations of this folder, the newest first; with a word, those of everywhere that it was said in. */
async function list(app: App, context: Context, json: boolean, word: string | undefined): Promise<ExitCode> {
  const found =
    word === undefined
      ? await app.chats.list({ workspace: app.workspace, limit: 50 })
      : (await app.streams.find<ChatRow>(word, 50, 'chat')).map(({ row }) => row);
  const rows = await Promise.all(
    found.map(async (row) => app.redactorFor(await app.chats.state(row.id), keptChats).value(row)),
  );
  if (json) printJson(context, rows);
  else
    for (const { id, state, turns, title } of rows)
      print(context, `${id}  ${state.padEnd(9)} ${count(turns, 'message').padEnd(12)} ${cleanOutput(title)}`);
  return exitCodes.done;
}

const named = (app: App, name: string) => app.chats.find(name === 'last' ? undefined : name, app.workspace);

async function rename(
  app: App,
  context: Context,
  name: string,
  title: string | undefined,
): Promise<ExitCode> {
  if (title === undefined || title.trim() === '')
    throw new AppError('usage', 'say what to call it: planwright chat --rename CHAT NAME');
  const { id } = await named(app, name);
  const body = { type: 'rename-requested' as const, title: title.trim().slice(0, MAX_TITLE) };
  await app.chats.request(id, body, { by: ownerAt('terminal') });
  await app.chats.drive(id);
  note(context, `${id} is called ${cleanOutput(body.title)}.`);
  return exitCodes.done;
}

async function remove(app: App, context: Context, name: string): Promise<ExitCode> {
  const { id, title } = await named(app, name);
  const { removeChat } = await import('../../app/retention.ts');
  await removeChat(app, id, { by: ownerAt('terminal') });
  note(context, `Removed ${id}, ${cleanOutput(title)}.`);
  return exitCodes.done;
}

async function chatMeant(app: App, context: Context, given: Given): Promise<string> {
  const resumed = given.text('resume');
  const choices = choicesIn(context, given);
  if (resumed !== undefined) {
    const { id } = await named(app, resumed);
    await changeOptions(app, id, choices);
    return id;
  }
  const about = given.text('about');
  const run = about === undefined ? [] : await app.runs.find(about, app.workspace);
  return app.chats.begin({ workspace: app.workspace, about: run[0]?.id, choices });
}

function choicesIn(context: Context, given: Given): ChatChoices {
  const model = given.text('model');
  const chosen = model === undefined ? undefined : parseModelName(model);
  if (chosen === null)
    throw new AppError('usage', `--model takes PROVIDER/MODEL, not ${JSON.stringify(model)}`);
  return {
    attended: isAttended(context),
    mode: oneOf(given, 'mode', Mode.options),
    onAsk: oneOf(given, 'on-ask', OnAskPolicy.options),
    onFailure: given.flag('rollback') ? 'rollback' : undefined,
    model: chosen,
    money: limitsIn(given).money,
  };
}

/** Whoever comes back may be somewhere else: whether somebody can be asked is as it is now. */
async function changeOptions(app: App, id: string, choices: ChatChoices): Promise<void> {
  const { options } = await app.chats.state(id);
  const { onAsk } = asking(app.config.values, choices);
  const { mode, model, money } = choices;
  const body = {
    type: 'options-requested' as const,
    ...(onAsk === options?.onAsk ? {} : { onAsk }),
    ...(mode === undefined ? {} : { mode }),
    ...(model === undefined ? {} : { model }),
    ...(money === undefined ? {} : { limits: { money } }),
  };
  if (Object.keys(body).length > 1) await app.chats.request(id, body, { by: ownerAt('terminal') });
}

function messageOf(text: string, given: Given): ChatRequestBody {
  if (text.trim() === '') throw new AppError('usage', 'the message is empty');
  if (given.flag('plan')) return { type: 'message-sent', text, plan: 'always' };
  return given.flag('noplan')
    ? { type: 'message-sent', text, plan: 'never' }
    : { type: 'message-sent', text };
}

async function textFrom({ stdin }: Context): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** At a terminal, line by line, until the person leaves. */
async function talk(desk: ChatDesk): Promise<ExitCode> {
  const { app, context, id } = desk;
  const [{ promptLine }, { readLine }] = await Promise.all([
    import('../chat/prompt.ts'),
    import('../../../core/contract/told/index.ts'),
  ]);
  note(context, `Talking in ${app.workspace}. /help lists what can be typed, /exit leaves.`);
  const look = lookOf(context, 'stderr');
  const aboveOf = ({ spending, options }: ChatState): string =>
    spending.calls === 0 ? '' : look.style.dim(`${options?.mode}: ${meterWords({ spending, options })}`);
  const history: string[] = [];
  // What was open when somebody left is gone on with first.
  let state = await takeTurn(desk, null);
  for (;;) {
    const line = await promptLine(context, app.workspace, history, aboveOf(state));
    if (line === null) break;
    if (line.trim() === '') continue;
    history.unshift(line);
    const said = readLine(line, state);
    if (said.kind === 'leave') break;
    if (said.kind === 'tell') {
      const lines = said.lines.flatMap((text) => hanging(text, measure(look) - 1, look));
      note(context, indent(lines, ' ').join('\n'));
    } else if (said.kind === 'run') {
      const body = await runBody(desk, said);
      if (body !== null) state = await takeTurn(desk, body);
    } else state = await takeTurn(desk, said.body);
  }
  note(context, `planwright chat --resume ${id} comes back.`);
  return exitCodes.done;
}

/** What sends a plan file; null where it is none, which is said. */
async function runBody(
  { app, context }: ChatDesk,
  { file, inputs }: { file: string; inputs: string[] },
): Promise<ChatRequestBody | null> {
  const { givenPlan } = await import('../../app/given-plan.ts');
  try {
    const given = await givenPlan(file, inputs, { workspace: app.workspace, env: context.env });
    return { type: 'message-sent', text: `/run ${file}`, given };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    note(context, ` ${error.message}`);
    return null;
  }
}

const codes: Record<TurnOutcome, ExitCode> = {
  answered: exitCodes.done,
  planned: exitCodes.done,
  'no-model': exitCodes.failed,
  stopped: exitCodes.interrupted,
  failed: exitCodes.failed,
  limit: exitCodes.limit,
  rounds: exitCodes.limit,
  'correction-failed': exitCodes.failed,
  'decision-needed': exitCodes.needsPerson,
  'checkpoint-failed': exitCodes.needsPerson,
};

/** How one message ended, for scripts. */
function codeOf(state: ChatState): ExitCode {
  const turn = turnsOf(state).at(-1);
  if (turn === undefined || turn.outcome === null) return exitCodes.needsPerson;
  const isFailedPlan = turn.outcome === 'planned' && turn.plans.some(({ state: how }) => how !== 'done');
  return isFailedPlan ? exitCodes.failed : codes[turn.outcome];
}
