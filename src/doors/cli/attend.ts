import { elsewhere, type RequestBody, type RunState, type StoredEvent } from '../../core/contract/index.ts';
import type { App } from '../app/app.ts';
import { ownerAt } from '../app/asker.ts';
import { type ExitCode, exitCodes } from '../app/errors.ts';
import { type Following, follow } from '../app/follow.ts';
import { exitCodeOf } from '../app/outcome.ts';
import type { Rested } from '../app/streams.ts';
import type { PathChange } from '../app/undo.ts';
import type { Agreement } from './agree-planned.ts';
import { type Context, note } from './context.ts';
import { type Interrupts, onInterrupt } from './interrupts.ts';
import { type OwnRequests, ownRequests } from './own-requests.ts';
import type { QuestionDesk } from './put-question.ts';
import { hasUndo } from './render/undo-words.ts';
import type { RunScreen } from './screens/index.ts';

export interface Attendance {
  app: App;
  id: string;
  context: Context;
  view: RunScreen;
  /** Somebody sits at the terminal and can be asked. */
  attended: boolean;
  /** How a plan that was made from a goal is agreed on; left out, the run waits for somebody else to agree. */
  agreement?: Agreement | undefined;
  /** The last event before this person came: what was before is not told again. */
  after?: number;
  /** A step that fails is told and not asked about: the command says more about it itself. */
  leaves?: boolean | undefined;
  /** The place of what this command asked of the run: where that is refused the command has failed. */
  asked?: number;
}

// Most runs ask nothing: what asks is loaded when there is a question.

const BY = ownerAt('terminal');

/**
 * Stays with a run until it rests: drives it, or watches whoever does; shows it; asks what it wants to know and
 * takes the question back when another door answers first. Resolves with the exit code.
 *
 * What signals do to it is drawn in interrupts.ts.
 */
export async function attend(attendance: Attendance): Promise<ExitCode> {
  const { app, id, context, view, attended, after, asked } = attendance;
  const tell = (sentence: string) => {
    // Without a terminal every event is a line of its own.
    if (!attended) return;
    view.suspend();
    note(context, sentence);
    view.resume();
  };
  const own = ownRequests(app, id, view, { first: asked, tell });
  const shown: RunScreen = {
    ...own.view,
    event(stored, state) {
      own.view.event(stored, state);
      if (attended) void offerService(attendance, following, stored);
    },
  };
  const following: Following = follow(app, id, shown, after);
  if (attended) app.lendTerminal({ take: async () => view.suspend(), give: () => view.resume() });
  // Whoever has written last as its driver drives it.
  const isWatched = () => {
    const { driver } = following.state();
    const isOurs = driver?.pid === app.driver.pid && driver.host === app.driver.host;
    return driver !== null && !isOurs && isGoing(following.state());
  };
  const interrupts = onInterrupt(app, id, context, view, isWatched);
  try {
    const rested = await untilRest(attendance, following, interrupts, own);
    await following.caughtUp(rested.seq);
    await following.stop();
    view.finish(following.state(), await changesOf(app, id, following.state()));
    reportBusy(rested, attendance, interrupts.left.aborted);
    if (interrupts.count > 0) return exitCodes.interrupted;
    return own.wasRefused(asked) ? exitCodes.failed : exitCodeOf(rested.why, following.state());
  } finally {
    await following.stop();
    interrupts.off();
  }
}

/** What is shown of a run goes through its redactor, names of files as well. Nothing where it cannot be said now. */
async function changesOf(app: App, id: string, state: RunState): Promise<readonly PathChange[]> {
  if (!hasUndo(state)) return [];
  const diff = await app.runs.diff(id, { textless: true }).catch(() => null);
  return diff === null ? [] : app.redactorFor(state).value(diff.changes);
}

async function untilRest(
  { app, id, context, view, attended, agreement, leaves }: Attendance,
  following: Following,
  interrupts: Interrupts,
  own: OwnRequests,
): Promise<Rested<RunState>> {
  const asking: QuestionDesk = {
    context,
    allowHere: async (approvalId) => {
      const { allow } = await import('./allow.ts');
      return allow(app, id, await app.runs.state(id), approvalId);
    },
    explaining: async (stepId, put) => {
      const { withWords } = await import('./in-words.ts');
      return withWords(app, context, { id, state: following.state(), about: { what: 'step', stepId } }, put);
    },
  };
  for (;;) {
    const rested = await app.runs.drive(id, { signal: interrupts.left });
    await following.caughtUp(rested.seq);
    if (rested.why === 'stopped') return rested;
    if (rested.why === 'claimed' && isGoing(following.state())) {
      await Promise.race([following.nextEvent(interrupts.left), pause(500)]);
      if (interrupts.left.aborted) return rested;
      continue;
    }
    if (rested.why === 'paused' && attended && leaves !== true && interrupts.count === 0) {
      view.suspend();
      const withdrawn = new AbortController();
      void following.nextEvent(withdrawn.signal).then(() => withdrawn.abort());
      const asked = await afterFailure(app, context, id, following.state(), withdrawn.signal);
      view.resume();
      // Somebody else helped it on meanwhile.
      if (asked === 'withdrawn') continue;
      withdrawn.abort();
      if (asked.length === 0) return rested;
      for (const body of asked) await own.send(body);
      continue;
    }
    if (rested.why === 'waiting' && rested.state.status === 'agreeing' && interrupts.count === 0) {
      if (agreement === undefined) return rested;
      view.suspend();
      const { agreePlanned } = await import('./agree-planned.ts');
      const decided = await agreePlanned(app, context, id, agreement);
      view.resume();
      if (decided === 'interrupted') interrupts.count += 1;
      if (decided === null || decided === 'interrupted') return rested;
      await own.send(decided);
      continue;
    }
    const isQuestion = rested.why === 'waiting' || rested.why === 'claimed';
    if (!isQuestion || !attended || interrupts.count > 0) return rested;
    view.suspend();
    const answer = await ask(asking, following);
    view.resume();
    if (answer === 'interrupted') {
      // It rests already, and its question stays for another day.
      interrupts.count += 1;
      return rested;
    }
    if (answer !== null) await own.send(answer);
  }
}

/** A step in flight turns out to be a server: it would never end. */
async function offerService(
  { app, id, context, view }: Attendance,
  following: Following,
  { event }: StoredEvent,
): Promise<void> {
  if (event.type !== 'step-listens') return;
  const { askToServe } = await import('./serve-step.ts');
  const withdrawn = new AbortController();
  void following.nextEvent(withdrawn.signal).then(() => withdrawn.abort());
  view.suspend();
  const request = await askToServe(context, event, following.state(), withdrawn.signal);
  withdrawn.abort();
  view.resume();
  if (request !== null) await app.runs.request(id, request, { by: BY });
}

/** What the person asks of a run that a failed step, or the lack of a plan, has stopped; nothing, where it is to be left. */
async function afterFailure(
  app: App,
  context: Context,
  id: string,
  state: RunState,
  signal: AbortSignal,
): Promise<RequestBody[] | 'withdrawn'> {
  if (state.stopReason === 'planning-failed') {
    const { offerDraft } = await import('./mend-draft.ts');
    return offerDraft(app, context, id, neverAborts);
  }
  const { offerGrant } = await import('./put-question.ts');
  const grant = await offerGrant(context, state, neverAborts);
  if (grant !== null) return [grant];
  if (wantsHelp(state) && !isDenied(state)) {
    const { helpStuck } = await import('./help-stuck.ts');
    return helpStuck(app, context, id, state, signal);
  }
  const isTaught = state.options?.mode === 'teacher' && state.stopReason === 'step-failed' && !state.ended;
  if (!isTaught || isDenied(state)) return [];
  const { teachFailure } = await import('./teach.ts');
  return teachFailure(app, context, id, state, neverAborts);
}

/** A brain gave it up, or in planner mode there is none. */
const wantsHelp = ({ stopReason, options, ended }: RunState): boolean =>
  !ended &&
  (stopReason === 'agent-stuck' ||
    stopReason === 'agent-error' ||
    (stopReason === 'step-failed' && options?.mode === 'planner'));

/** What a sandbox or a person refused is not for a brain. */
const isDenied = ({ steps }: RunState): boolean =>
  steps.some(({ status, result }) => status === 'failed' && result?.missing !== undefined);

const neverAborts = new AbortController().signal;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const isGoing = (state: RunState): boolean =>
  state.status === 'running' ||
  state.status === 'planning' ||
  state.status === 'recovering' ||
  (state.inbox.length > 0 && !state.ended);

/** Null: somebody else decided while we asked. */
async function ask(asking: QuestionDesk, following: Following): Promise<RequestBody | 'interrupted' | null> {
  const { askAbout } = await import('./put-question.ts');
  const withdrawn = new AbortController();
  void following.nextEvent(withdrawn.signal).then(() => withdrawn.abort());
  try {
    return await askAbout(asking, following.state(), withdrawn.signal);
  } finally {
    withdrawn.abort();
  }
}

function reportBusy(rested: Rested<RunState>, { app, id, context }: Attendance, isLeft: boolean): void {
  const pid = rested.by === undefined ? '' : ` (process ${rested.by.pid})`;
  if (rested.why === 'workspace-busy') {
    note(context, `Run ${rested.busyWith} is working in this folder${pid}. Later: planwright resume ${id}`);
  }
  if (rested.why === 'elsewhere') note(context, elsewhere(rested.state.place, app.driver.host) ?? '');
  if (isLeft) note(context, `The run goes on${pid}: planwright show ${id}`);
  if (rested.why === 'lost') note(context, `Another process has taken over this run: planwright show ${id}`);
}
