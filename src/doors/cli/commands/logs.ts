import { elsewhere, type RunState } from '../../../core/contract/index.ts';
import { titleOf } from '../../../core/contract/told/index.ts';
import type { App } from '../../app/app.ts';
import { AppError, type ExitCode, exitCodes } from '../../app/errors.ts';
import { findStep } from '../../app/find-step.ts';
import { follow } from '../../app/follow.ts';
import { SHORTEST_BEGINNING } from '../../app/meant.ts';
import type { Redactor } from '../../app/secrets.ts';
import { atMost, type CommandCode, type Given, wholeNumber } from '../command.ts';
import { type Context, note, print } from '../context.ts';
import { meantRun } from '../meant-run.ts';
import { onlyColours } from '../render/text/clean.ts';
import { silentView } from '../screens/index.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const words = atMost(given, 2);
      // What is too short for a run names a step.
      const isStep = words.length === 1 && words[0]!.length < SHORTEST_BEGINNING;
      const [prefix, step] = isStep ? [undefined, words[0]] : words;
      const row = await meantRun(app, context, given, prefix);
      return given.flag('follow')
        ? followRun(app, context, row.id)
        : printLogs(app, context, row.id, given, step);
    }),
};

interface Log {
  stepId: string;
  title: string;
  attemptIndex: number;
}

async function printLogs(
  app: App,
  context: Context,
  id: string,
  given: Given,
  step?: string,
): Promise<ExitCode> {
  const state = await app.runs.state(id);
  const logs = wanted(state, given, step);
  if (given.flag('json')) {
    const redactor = app.redactorFor(state);
    for (const log of logs)
      print(context, JSON.stringify({ ...redactor.value(log), text: await textOf(app, id, log, redactor) }));
    return exitCodes.done;
  }
  if (logs.length === 0) note(context, given.flag('failed') ? 'No step failed.' : 'No step has run yet.');
  for (const log of logs) {
    if (logs.length > 1)
      note(context, `── ${log.title}${log.attemptIndex > 0 ? ` (attempt ${log.attemptIndex + 1})` : ''}`);
    const size = await copyLog(app, context, id, log, app.redactorFor(state).bytes());
    const away = elsewhere(state.place, app.driver.host);
    if (size === 0 && away !== null) note(context, away);
  }
  return exitCodes.done;
}

function wanted(state: RunState, given: Given, named?: string): Log[] {
  const { plan } = state;
  if (plan === null) return [];
  const chosen = named === undefined ? null : findStep(plan, named);
  const attempt = wholeNumber(given, 'attempt');
  return state.steps.flatMap((step, index) => {
    if (chosen !== null && index !== chosen) return [];
    if (given.flag('failed') && step.status !== 'failed') return [];
    const attemptIndex = attempt ?? step.attempts - 1;
    if (attemptIndex < 0) return [];
    if (attemptIndex >= step.attempts) {
      if (chosen === null) return [];
      throw new AppError('no-such-step', `step ${index + 1} has had ${step.attempts} attempts`);
    }
    return [{ stepId: step.id, title: plan.steps[index]!.title, attemptIndex }];
  });
}

/** Writes a whole log, as fast as it is taken. Answers how long it is. */
export async function copyLog(
  app: App,
  { stdout }: Context,
  id: string,
  log: Omit<Log, 'title'>,
  filter: ReturnType<Redactor['bytes']>,
): Promise<number> {
  // A terminal obeys what it is sent: of that only colours are for it.
  const safe = stdout.isTTY ? onlyColours() : null;
  return readLog(app, id, log, filter, async (bytes) => {
    if (!stdout.write(safe === null ? bytes : safe(bytes))) await untilTaken(stdout);
  });
}

async function textOf(app: App, id: string, log: Log, redactor: Redactor): Promise<string> {
  const parts: Uint8Array[] = [];
  await readLog(app, id, log, redactor.bytes(), async (bytes) => void parts.push(bytes));
  return Buffer.concat(parts).toString('utf8');
}

async function readLog(
  app: App,
  id: string,
  log: Omit<Log, 'title'>,
  filter: ReturnType<Redactor['bytes']>,
  take: (bytes: Uint8Array) => Promise<void>,
): Promise<number> {
  let offset = 0;
  for (;;) {
    const chunk = await app.streams.output.read(id, log.stepId, log.attemptIndex, offset, 64 * 1024);
    const isEnd = chunk.bytes.length === 0;
    offset = chunk.next;
    await take(isEnd ? filter.flush() : filter.write(chunk.bytes));
    if (isEnd) return chunk.size;
  }
}

/** Also where nobody takes it any more. */
const untilTaken = (stdout: Context['stdout']) =>
  new Promise<void>((resolve) => {
    for (const event of ['drain', 'error', 'close']) stdout.once(event, () => resolve());
  });

/** Prints what has been and what comes, until the run rests, nobody reads it any more, or Ctrl-C. */
async function followRun(app: App, context: Context, id: string): Promise<ExitCode> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal);
  context.stdout.once('error', onSignal);
  // Nothing else here keeps the process alive while it waits for others to write.
  const staying = setInterval(() => {}, 60_000);
  const following = follow(app, id, {
    ...silentView,
    event: ({ event }, state) => {
      if (event.type === 'step-started') note(context, `── ${titleOf(state.plan, event.stepId)}`);
    },
    output: (bytes) => void context.stdout.write(bytes),
  });
  try {
    while (!stop.signal.aborted && !(await isAtRest(app, id, following.state()))) {
      await following.nextEvent(AbortSignal.any([stop.signal, AbortSignal.timeout(200)]));
    }
  } finally {
    await following.stop();
    clearInterval(staying);
    process.off('SIGINT', onSignal);
    context.stdout.off('error', onSignal);
  }
  return exitCodes.done;
}

/** Nobody drives it, and everything it did has been told. */
async function isAtRest(app: App, id: string, state: RunState): Promise<boolean> {
  if (state.seq === 0) return false;
  const goesOn = state.status === 'running' || state.status === 'recovering';
  if (goesOn && (await app.streams.row(id))?.undrivenSince === undefined) return false;
  return (await app.streams.read(id, state.seq, 1)).length === 0;
}
