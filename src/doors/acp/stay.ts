import { keptChats } from '../../core/chat/kept.ts';
import type { ChatRequestBody, ChatRow, ChatState, RunState } from '../../core/contract/index.ts';
import { callChoices, callWords, chatQuestion, sentenceOf, visible } from '../../core/contract/told/index.ts';
import type { App } from '../app/app.ts';
import type { Asker } from '../app/asker.ts';
import { follow } from '../app/follow.ts';
import { type ChatFollowing, followChat } from '../app/follow-chat.ts';
import { askText, choose, type Seat, type Unanswered } from './ask.ts';
import { askAboutRun } from './ask-run.ts';
import { kindOf, locationsOf, textContent } from './cards.ts';
import { callEvidence } from './evidence.ts';
import type { Teller } from './tell.ts';
import { callCard, chatTeller } from './tell-chat.ts';
import { runTeller, stepCard } from './tell-run.ts';
import { proposedDiffs } from './texts.ts';
import type { EditorWitness } from './witness.ts';

/** A conversation, and the editor that is at it. */
export interface Attended {
  app: App;
  chat: string;
  seat: Seat;
  teller: Teller;
  witness: EditorWitness;
  readsTexts: boolean;
  /** By this client of this door: the journal keeps it. */
  by(): Asker;
  /** Aborts where the person stops the message, or the editor is gone: what is asked is then taken back. */
  quiet: AbortSignal;
  /** Aborts where nobody is there any more: what goes on is left to rest. */
  gone: AbortSignal;
  /** The plan that is being stayed with. */
  run: string | null;
}

/**
 * Stays with a conversation until it waits for the next message, or for somebody who is not here. What it does is drawn in
 * `core/contract/chat/state.ts`, what its plan does in `core/contract/run/state.ts`.
 */
export async function stay(attended: Attended, send: ChatRequestBody | null): Promise<ChatState> {
  const { app, chat, teller, witness, by, gone, seat, readsTexts } = attended;
  const { workspace } = await app.chats.state(chat);
  const diffs = witness.diffsOf;
  const watcher = chatTeller(chat, teller, { isPast: false, diffs });
  const following = followChat(app, chat, watcher, await app.streams.lastSeq(chat));
  const redact = <T>(value: T): T => app.redactorFor(following.state(), keptChats).value(value);
  const cardOf = ({ step }: { step: { id: string } }) => callCard(chat, step.id);
  witness.watch(chat, { seat, readsTexts, workspace, cardOf, redact });
  try {
    if (send !== null) await app.chats.request(chat, send, { by: by() });
    // They were faster than their message.
    if (send !== null && attended.quiet.aborted)
      await app.chats.request(chat, { type: 'stop-requested' }, { by: by() });
    for (;;) {
      const rested = await app.chats.drive(chat);
      await following.caughtUp(rested.seq);
      if (gone.aborted) break;
      if (rested.why === 'claimed') {
        // Somebody else is at it: it is shown, and asked about, all the same.
        await following.nextEvent(AbortSignal.any([gone, AbortSignal.timeout(500)]));
        continue;
      }
      const run = (await app.streams.row<ChatRow>(chat))?.awaits ?? null;
      if (run !== null) {
        if (!(await stayWithPlan(attended, run))) break;
        continue;
      }
      if (attended.quiet.aborted) {
        // What was asked for by then is answered before anybody leaves.
        await app.chats.drive(chat);
        break;
      }
      const answer = await askAboutChat(attended, following);
      if (answer === 'withdrawn') continue;
      if (answer === 'left' || answer === null) break;
      await app.chats.request(chat, answer, { by: by() });
    }
    await following.caughtUp(await app.streams.lastSeq(chat));
    return await app.chats.state(chat);
  } finally {
    witness.watch(chat, null);
    await following.stop();
    await teller.settled();
  }
}

/** False where it waits, and nobody here goes on with it. */
async function stayWithPlan(attended: Attended, run: string): Promise<boolean> {
  const { app, chat, teller, witness, by, gone, seat, readsTexts } = attended;
  attended.run = run;
  let isBack = true;
  const watcher = runTeller(run, teller, witness.diffsOf);
  const following = follow(app, run, watcher, await toldSoFar(app, run));
  const begun = await app.runs.state(run);
  const { workspace } = begun;
  const redact = <T>(value: T): T => app.redactorFor(begun).value(value);
  const cardOf = ({ step, attemptIndex }: { step: { id: string }; attemptIndex: number }) =>
    stepCard(run, step.id, attemptIndex);
  witness.watch(run, { seat, readsTexts, workspace, cardOf, redact });
  try {
    for (;;) {
      // Whoever answered, and left, is not there for what comes of it.
      if (gone.aborted) return false;
      const rested = await app.runs.drive(run);
      await following.caughtUp(rested.seq);
      if (rested.state.ended) return true;
      if (gone.aborted) return false;
      if (rested.why === 'claimed' && isGoing(rested.state)) {
        await following.nextEvent(AbortSignal.any([gone, AbortSignal.timeout(500)]));
        continue;
      }
      // The conversation was told to stop, and passes it on.
      if (attended.quiet.aborted) {
        await app.chats.drive(chat);
        if (isUnanswered(await app.runs.state(run))) continue;
        return (await app.runs.state(run)).ended;
      }
      const answer = await withdrawable(attended, run, rested.seq, (signal) =>
        askAboutRun(seat, app, run, isBack, signal),
      );
      isBack = answer === 'withdrawn' && isBack;
      if (answer === 'withdrawn') continue;
      if (answer === 'left' || answer === null) {
        teller.say(waitsWords(rested.state, run));
        return false;
      }
      await app.runs.request(run, answer, { by: by() });
    }
  } finally {
    attended.run = null;
    witness.watch(run, null);
    await following.stop();
  }
}

/** A plan that was begun just now is told whole; of one that was left before, what happens from now on. */
async function toldSoFar(app: App, run: string): Promise<number> {
  const { plan, driver } = await app.runs.state(run);
  return plan === null || driver === null ? 0 : app.streams.lastSeq(run);
}

/** Something of it is done now, or as soon as it has been looked at what was answered. */
export const isGoing = ({ status, inbox, ended }: RunState): boolean =>
  ['running', 'planning', 'recovering'].includes(status) || (inbox.length > 0 && !ended);

const isUnanswered = ({ inbox, ended }: RunState): boolean => inbox.length > 0 && !ended;

const waitsWords = (state: RunState, run: string): string =>
  `${visible(sentenceOf(state).text)}. Say anything here to be asked again, or: planwright resume ${run}`;

/** Takes the question back when something happens meanwhile, or nobody is to be asked any more. */
async function withdrawable<T>(
  { app, quiet }: Attended,
  stream: string,
  seq: number,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const withdrawn = new AbortController();
  const signal = AbortSignal.any([withdrawn.signal, quiet]);
  void app.streams.changed(stream, seq, signal).then(() => withdrawn.abort());
  try {
    return await ask(signal);
  } finally {
    withdrawn.abort();
  }
}

/** What they answer to what the conversation itself asks; null where it asks nothing. */
async function askAboutChat(
  attended: Attended,
  following: ChatFollowing,
): Promise<ChatRequestBody | Unanswered | null> {
  const { app, chat, seat, teller } = attended;
  const exact = following.state();
  const redactor = app.redactorFor(exact, keptChats);
  const asked = chatQuestion(redactor.value(exact));
  if (asked === null) return null;
  if (asked.kind === 'answer') {
    const { callId, text } = asked;
    const answer = await withdrawable(attended, chat, exact.seq, (signal) => askText(seat, text, signal));
    if (answer === 'left') teller.say(visible(text));
    return typeof answer === 'string' ? answer : { type: 'answer-given', callId, value: answer.text };
  }
  const { approval, call } = asked;
  const { action, cwd, paths } = approval.subject;
  const diffs = redactor.value(proposedDiffs(action, cwd, exact.workspace));
  const card = {
    toolCallId: callCard(chat, call.id),
    title: visible(callWords(call)).slice(0, 300),
    kind: kindOf(action),
    locations: locationsOf(action, cwd, paths),
    content: [textContent(callEvidence(approval)), ...diffs],
  };
  const choices = callChoices(false);
  const answer = await withdrawable(attended, chat, exact.seq, (signal) =>
    choose(seat, card, choices, signal),
  );
  if (answer === 'left')
    teller.say(
      `It waits for your decision. Say anything here to be asked again, or: planwright chat --resume ${chat}`,
    );
  if (typeof answer === 'string') return answer;
  const { decision } = answer;
  if (decision === 'stop') return { type: 'stop-requested' };
  const given = decision as 'approve' | 'deny' | 'did-it';
  return { type: 'approval-decided', approvalId: approval.id, decision: given };
}
