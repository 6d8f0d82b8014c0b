import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AgentContext, ContentBlock, SessionModeState, StopReason } from '@agentclientprotocol/sdk';
import {
  type ChatRequestBody,
  type ChatState,
  Mode,
  type TurnOutcome,
  turnsOf,
} from '../../core/contract/index.ts';
import { chatQuestion, openQuestion, readLine } from '../../core/contract/told/index.ts';
import type { App } from '../app/app.ts';
import type { Asker } from '../app/asker.ts';
import { AppError } from '../app/errors.ts';
import { givenPlan } from '../app/given-plan.ts';
import type { Env } from '../app/places.ts';
import { type ReadPrompt, readPrompt } from './prompt.ts';
import { type Attended, isGoing, stay } from './stay.ts';
import type { Teller } from './tell.ts';
import type { EditorWitness } from './witness.ts';

export interface SessionGiven {
  id: string;
  app: App;
  env: Env;
  client: AgentContext;
  teller: Teller;
  witness: EditorWitness;
  by(): Asker;
  hasForms: boolean;
  readsTexts: boolean;
  /** The key that the conversation is begun with at its first message; null where it is there. */
  key: string | null;
  mode: Mode;
  gone: AbortSignal;
}

/** Whoever ends a program gives it ten seconds at the least; ending a step's processes may take half of them. */
const GRACE_MS = 3000;

const about: Record<Mode, string> = {
  teacher: 'You run each step, or have it run; every step is explained',
  planner: 'Steps run in order; the first that fails stops the run',
  agentic: 'What fails is mended, and the run goes on',
};

export const modesOf = (mode: Mode): SessionModeState => ({
  currentModeId: mode,
  availableModes: Mode.options.map((id) => ({ id, name: id, description: about[id] })),
});

/**
 * A conversation in an editor. It is a stream like any other: what is here is who is at it.
 *
 *   idle ──prompt──▶ at a message ──ended, or left waiting──▶ idle
 *                        └──cancel: stopped──▶ idle          └──editor gone: rests──▶ over
 */
export class EditorSession {
  readonly #given: SessionGiven;
  #mode: Mode;
  #isBegun: boolean;
  #turn: { attended: Attended; cancel: AbortController; done: Promise<unknown> } | null = null;

  constructor(given: SessionGiven) {
    this.#given = given;
    this.#mode = given.mode;
    this.#isBegun = given.key === null;
  }

  get app(): App {
    return this.#given.app;
  }
  /** It is at a message. */
  get isAtWork(): boolean {
    return this.#turn !== null;
  }
  get modes(): SessionModeState {
    return modesOf(this.#mode);
  }

  /** Resolves when the message was answered, was stopped, or waits for somebody. Rejects with an AppError. */
  async prompt(blocks: readonly ContentBlock[]): Promise<StopReason> {
    if (this.#turn !== null)
      throw new AppError('usage', 'it is still at the message before: wait for it, or stop it');
    const { app, id, client, teller, witness, by, hasForms, readsTexts, gone } = this.#given;
    const cancel = new AbortController();
    const seat = { client, sessionId: id, hasForms };
    const quiet = AbortSignal.any([cancel.signal, gone]);
    const attended: Attended = {
      app,
      chat: id,
      seat,
      teller,
      witness,
      readsTexts,
      by,
      quiet,
      gone,
      run: null,
    };
    const done = this.#take(attended, blocks);
    this.#turn = { attended, cancel, done: done.catch(() => {}) };
    try {
      const outcome = await done;
      return cancel.signal.aborted ? 'cancelled' : (stopReasons[outcome ?? 'answered'] ?? 'end_turn');
    } finally {
      this.#turn = null;
      await teller.settled();
    }
  }

  async #take(attended: Attended, blocks: readonly ContentBlock[]): Promise<TurnOutcome | null> {
    const { app, id, teller } = this.#given;
    const read = readPrompt(blocks, app.workspace);
    if (read.text === '') throw new AppError('usage', 'the message is empty');
    await this.#begin();
    const before = await app.chats.state(id);
    const answer = await this.#asAnswer(before, read.text);
    let state = before;
    // What was open when somebody left is gone on with first.
    if (before.turn !== null) {
      if (answer !== null) await answer();
      state = await stay(attended, null);
      if (answer !== null || state.turn !== null || attended.quiet.aborted) return lastOutcome(state);
    }
    const body = await this.#bodyOf(read, state);
    if (body === null) return null;
    state = await stay(attended, body);
    await teller.settled();
    return body.type === 'message-sent' ? lastOutcome(state) : null;
  }

  /** The text is what was asked for, where the editor had no other way to ask; null where nothing waits for a text. */
  async #asAnswer(state: ChatState, text: string): Promise<(() => Promise<unknown>) | null> {
    const { app, id, by } = this.#given;
    const asked = chatQuestion(state);
    if (asked?.kind === 'answer')
      return () =>
        app.chats.request(id, { type: 'answer-given', callId: asked.callId, value: text }, { by: by() });
    const run = (await app.streams.row(id))?.awaits ?? null;
    const question = run === null ? null : openQuestion(await app.runs.state(run));
    if (run === null || (question?.kind !== 'ask' && question?.kind !== 'planner')) return null;
    const step = question.stepId === null ? {} : { stepId: question.stepId };
    return () => app.runs.request(run, { type: 'answer-given', ...step, value: text }, { by: by() });
  }

  /** What is asked of the conversation; null where it was said here and now. */
  async #bodyOf(read: ReadPrompt, state: ChatState): Promise<ChatRequestBody | null> {
    const { app, id, env, teller } = this.#given;
    const { workspace } = app;
    const typed = readLine(read.text, state);
    const run = (file: string, inputs: string[]) => givenPlan(file, inputs, { workspace, env });
    if (read.onlyFile !== null && (await isFile(resolve(workspace, read.onlyFile))))
      return { type: 'message-sent', text: `/run ${read.onlyFile}`, given: await run(read.onlyFile, []) };
    switch (typed.kind) {
      case 'run': {
        // An editor may write a file as a link.
        const file = typed.file.replace(/^@/, '');
        return { type: 'message-sent', text: read.text, given: await run(file, typed.inputs) };
      }
      case 'leave':
        teller.say('The conversation stays: close it in the editor.');
        return null;
      case 'tell':
        teller.say(typed.lines.join('  \n'));
        return null;
      case 'ask': {
        if (typed.body.type !== 'message-sent' || read.pictures.length === 0) return typed.body;
        const pictures = await Promise.all(
          read.pictures.map(({ name, bytes }) => app.chats.keepPicture(id, name, bytes)),
        );
        return { ...typed.body, pictures };
      }
    }
  }

  /** An editor opens a session before anything is said; a conversation is begun with its first message. */
  async #begin(): Promise<void> {
    const { app, id, key, by } = this.#given;
    if (!this.#isBegun && key !== null) {
      const choices = { mode: this.#mode, attended: true };
      await app.chats.begin({ workspace: app.workspace, choices, key });
      this.#isBegun = true;
    }
    // It may have been begun where nobody could be asked: now somebody can.
    const { options } = await app.chats.state(id);
    if (options?.onAsk !== 'wait')
      await app.chats.request(id, { type: 'options-requested', onAsk: 'wait' }, { by: by() });
  }

  async setMode(wanted: string): Promise<void> {
    const mode = Mode.options.find((one) => one === wanted);
    if (mode === undefined) throw new AppError('usage', `there is no mode ${JSON.stringify(wanted)}`);
    const { app, id, by } = this.#given;
    if (this.#isBegun) {
      await app.chats.request(id, { type: 'options-requested', mode }, { by: by() });
      const run = this.#turn?.attended.run ?? null;
      if (run !== null) await app.runs.request(run, { type: 'mode-requested', mode }, { by: by() });
      else if (this.#turn === null) await app.chats.drive(id);
    }
    this.#mode = mode;
  }

  /** Stops the message that it is at, the plan of it too. Resolves once that is asked for. */
  async cancel(): Promise<void> {
    const { app, id, by } = this.#given;
    const turn = this.#turn;
    if (turn === null) return;
    const { run } = turn.attended;
    if (this.#isBegun) await app.chats.request(id, { type: 'stop-requested' }, { by: by() }).catch(() => {});
    if (run !== null) await app.runs.request(run, { type: 'cancel-requested' }, { by: by() }).catch(() => {});
    turn.cancel.abort();
  }

  /** Nobody is there any more: what goes on comes to rest, and is gone on with by whoever comes back. */
  async rest(): Promise<void> {
    const { app, id, by } = this.#given;
    const turn = this.#turn;
    if (turn === null) return;
    const { run } = turn.attended;
    const state = run === null ? null : await app.runs.state(run);
    if (run !== null && isGoing(state!))
      await app.runs
        .request(run, { type: 'pause-requested', graceMs: GRACE_MS }, { by: by() })
        .catch(() => {});
    // What a model is doing just now has nobody to be shown to.
    else if (run === null && this.#isBegun)
      await app.chats.request(id, { type: 'stop-requested' }, { by: by() }).catch(() => {});
    turn.cancel.abort();
    await turn.done;
  }
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

const lastOutcome = (state: ChatState): TurnOutcome | null => turnsOf(state).at(-1)?.outcome ?? null;

const stopReasons: Partial<Record<TurnOutcome, StopReason>> = {
  stopped: 'cancelled',
  limit: 'max_tokens',
  rounds: 'max_turn_requests',
};
