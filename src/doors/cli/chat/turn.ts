import { keptChats } from '../../../core/chat/kept.ts';
import {
  type ChatApproval,
  type ChatRequestBody,
  type ChatRow,
  type ChatState,
  toolParts,
} from '../../../core/contract/index.ts';
import {
  type CallDecision,
  callApprovalWords,
  callChoices,
  chatQuestion,
} from '../../../core/contract/told/index.ts';
import type { App } from '../../app/app.ts';
import { ownerAt } from '../../app/asker.ts';
import { exitCodes } from '../../app/errors.ts';
import type { ChatFollowing } from '../../app/follow-chat.ts';
import { allow } from '../allow.ts';
import { askKey, askLine } from '../ask.ts';
import { attend } from '../attend.ts';
import { type Context, note } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { renderChoices } from '../render/choices.ts';
import { indent, measure, message } from '../render/look.ts';
import { cleanOutput } from '../render/text/clean.ts';
import { chooseView } from '../screens/index.ts';

export interface ChatDesk {
  app: App;
  context: Context;
  id: string;
  following: ChatFollowing;
  /** Somebody sits at the terminal and can be asked. */
  attended: boolean;
  json: boolean;
}

const BY = ownerAt('terminal');

/** Asks something of the conversation and stays until it waits for a person who is not here, or for the next message. */
export async function takeTurn(desk: ChatDesk, body: ChatRequestBody | null): Promise<ChatState> {
  const { app, id, following } = desk;
  const interrupts = onInterrupt(desk);
  try {
    if (body !== null) await app.chats.request(id, body, { by: BY });
    for (;;) {
      const rested = await app.chats.drive(id);
      await following.caughtUp(rested.seq);
      if (rested.why === 'claimed') {
        await following.nextEvent(AbortSignal.timeout(500));
        continue;
      }
      const row = await app.streams.row<ChatRow>(id);
      const run = row?.awaits ?? null;
      if (run !== null) {
        if (!(await stayWithPlan(desk, run))) return app.chats.state(id);
        continue;
      }
      const request = desk.attended ? await question(desk) : null;
      if (request === null) return app.chats.state(id);
      await app.chats.request(id, request, { by: BY });
    }
  } finally {
    interrupts.off();
  }
}

/** The plan is a run like any other, agreed on and watched like any other. False where it waits and nobody goes on with it. */
async function stayWithPlan({ app, context, attended, json }: ChatDesk, run: string): Promise<boolean> {
  const view = chooseView(context, { id: run, json });
  const agreement = attended ? 'ask' : undefined;
  await attend({ app, id: run, context, view, attended, agreement });
  const row = await app.streams.row(run);
  if (row?.endedAt != null) return true;
  note(context, `The plan waits: planwright resume ${run}. In the conversation, /noplan goes on without it.`);
  return false;
}

/** What the person answers to what is asked just now; null where nothing is, or they leave it open. */
async function question({ app, context, following, id }: ChatDesk): Promise<ChatRequestBody | null> {
  const exact = following.state();
  const state = app.redactorFor(exact, keptChats).value(exact);
  const withdrawn = new AbortController();
  void following.nextEvent(withdrawn.signal).then(() => withdrawn.abort());
  try {
    const asked = chatQuestion(state);
    if (asked === null) return null;
    if (asked.kind === 'approval') {
      const { approval, call } = asked;
      const approvalId = approval.id;
      /** Null: nothing was decided, and it is asked again. */
      const decided = async (decision: CallDecision): Promise<ChatRequestBody | null> => {
        switch (decision) {
          case 'stop':
            return { type: 'stop-requested' };
          case 'edit': {
            const { editCall } = await import('../edit.ts');
            const args = editCall(context, call);
            return args === null ? null : { type: 'edit-requested', callId: call.id, args };
          }
          case 'always':
            note(context, ` ${await allow(app, id, exact, approvalId)}`);
            return { type: 'approval-decided', approvalId, decision: 'approve' };
          case 'deny-why': {
            const why = await askLine(context, withdrawn.signal);
            if (typeof why === 'string') return null;
            return { type: 'approval-decided', approvalId, decision: 'deny', reason: why.text.trim() };
          }
          default:
            return { type: 'approval-decided', approvalId, decision };
        }
      };
      note(context, '');
      const lines = callApprovalWords(approval);
      if (approval.why === 'teacher') lines.push('', ...(await explained(approval)));
      const look = lookOf(context, 'stderr');
      for (const line of lines)
        for (const part of message(line, measure(look) - 1, look)) note(context, ` ${part}`);
      note(context, '');
      const choices = callChoices(approval.why === 'dangerous');
      note(context, indent(renderChoices(choices, look), '  ').join('\n'));
      for (;;) {
        const answer = await askKey(context, choices, withdrawn.signal);
        if (answer === 'withdrawn') return null;
        if (answer === 'interrupted') return { type: 'stop-requested' };
        const body = await decided(answer.decision);
        if (body !== null) return body;
      }
    }
    const { callId, text } = asked;
    for (const line of text.split('\n')) note(context, ` ${cleanOutput(line)}`);
    const answer = await askLine(context, withdrawn.signal);
    if (answer === 'withdrawn') return null;
    if (answer === 'interrupted') return { type: 'stop-requested' };
    return { type: 'answer-given', callId, value: answer.text };
  } finally {
    withdrawn.abort();
  }
}

/** What the call does, word by word where that is known. */
async function explained({ subject: { action } }: ChatApproval): Promise<string[]> {
  const { explanationLines } = await import('../../../core/risk/explain/index.ts');
  const parts = (action.kind === 'call-tool' ? toolParts(action) : null) ?? [action];
  return parts.flatMap(explanationLines).filter((line) => line !== '');
}

/** The first Ctrl-C stops the message, a second leaves. */
function onInterrupt({ app, id, context }: ChatDesk): { off(): void } {
  let presses = 0;
  const press = () => {
    presses += 1;
    if (presses > 1) process.exit(exitCodes.interrupted);
    note(context, 'Stopping. Ctrl-C again leaves.');
    void app.chats.request(id, { type: 'stop-requested' }, { by: BY }).catch(() => {});
  };
  process.on('SIGINT', press);
  process.on('SIGTERM', press);
  return {
    off() {
      process.off('SIGINT', press);
      process.off('SIGTERM', press);
    },
  };
}
