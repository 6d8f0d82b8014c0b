import type { AskContext, ChatAnswer, ChatMind } from '../../core/chat/index.ts';
import {
  type ChatState,
  type Correction,
  callsOf,
  MAX_PICTURES,
  type ModelName,
  type Picture,
  picturesOf,
  turnsOf,
} from '../../core/contract/index.ts';
import type { ModelChain, SentPicture } from '../../world/models/index.ts';
import { type Brain, emptyContext, failureOf } from '../brain/index.ts';
import { consider } from './consider.ts';
import { messagesOf, shownTurns, tooLong } from './conversation.ts';
import { offeredTools, summarySystem, systemPrompt, theirTools } from './prompt.ts';

const MOST_OUTPUT = 8192;
const SUMMARY_OUTPUT = 1200;
const LONGEST_SUMMARY = 6000;

export interface ChatMindOptions {
  /** Whoever talks, or that very model. */
  talker(model: ModelName | undefined): Promise<ModelChain>;
  fast(): Promise<ModelChain>;
  brain: Brain;
  redact(text: string): string;
  /** Tools of servers, besides our own. Never rejects. */
  tools(): Promise<readonly { name: string; means: string; parameters: object }[]>;
  /** What the folder says about working in it; null where it says nothing. */
  notes(): Promise<string | null>;
  /** The run that the conversation is about, in words. */
  about(run: string): Promise<string | null>;
  /** The bytes of a picture of the conversation; null where they are gone. Never rejects. */
  picture(picture: Picture): Promise<Uint8Array | null>;
  /** What can be done here without a model, in words. */
  offers(message: string): Promise<string>;
}

/** Thinks for a conversation. Nothing of it throws. */
export function createChatMind(options: ChatMindOptions): ChatMind {
  const { redact } = options;
  return {
    consider,
    tooLong,
    answer: ({ state, bare }, context) => guarded(() => talk(options, state, bare, context)),
    summarise: async ({ state, upTo }, { signal, ledger }) => {
      try {
        const text = turnsOf(state)
          .filter(({ n }) => n <= upTo)
          .flatMap((turn) => messagesOf({ ...state, past: [[turn]], turn: null, summary: null }, redact))
          .map(({ role, content, results = [] }) =>
            [content, ...results.map((result) => result.text.slice(0, 400))]
              .map((part) => `${role}: ${part}`)
              .join('\n'),
          )
          .join('\n');
        const before = state.summary?.text ?? '';
        const content = `<earlier>\n${redact(before)}\n</earlier>\n<conversation>\n${text.slice(-120_000)}\n</conversation>`;
        const answer = await (await options.fast()).callRaw(
          {
            system: summarySystem,
            messages: [{ role: 'user', content }],
            purpose: 'summarise the conversation',
            signal,
            maxOutputTokens: SUMMARY_OUTPUT,
          },
          ledger,
        );
        return answer.ok ? answer.text.trim().slice(0, LONGEST_SUMMARY) || null : null;
      } catch {
        return null;
      }
    },
    diagnose: (line) => diagnosis(options.brain, line),
    reply: async (state) => {
      const turn = state.turn!;
      if (!turn.isCommand) return options.offers(turn.text);
      const call = callsOf(turn)[0];
      const { result, args } = call ?? {};
      if (result == null || result.why !== 'exit-code') return result?.message ?? '';
      const { command } = args as { command: string };
      const output = `${result.stdoutTail}\n${result.stderrTail}`;
      const exitCode = result.exitCode ?? 1;
      return diagnosis(options.brain, { command, output, exitCode, cwd: state.session.cwd });
    },
  };
}

/** The last of them, as many as one message may have. */
async function shownPictures(state: ChatState, read: ChatMindOptions['picture']) {
  const wanted = shownTurns(state).flatMap(picturesOf).slice(-MAX_PICTURES);
  const shown = new Map<string, SentPicture>();
  for (const one of wanted) {
    const data = await read(one);
    if (data !== null) shown.set(one.hash, { hash: one.hash, type: one.type, data });
  }
  return shown;
}

async function talk(
  { talker, redact, tools, notes, about, picture }: ChatMindOptions,
  state: ChatState,
  bare: boolean,
  { signal, ledger }: AskContext,
): Promise<ChatAnswer> {
  const chain = await talker(state.options?.model);
  const run = state.begun?.about;
  const known = { notes: await notes(), about: run === undefined ? null : await about(run) };
  const answer = await chain.callRaw(
    {
      system: redact(systemPrompt(state, known)),
      messages: messagesOf(state, redact, await shownPictures(state, picture)),
      purpose: `answer message ${state.turn?.n ?? 0}`,
      signal,
      maxOutputTokens: MOST_OUTPUT,
      ...(bare ? {} : { tools: [...offeredTools, ...theirTools(await tools())] }),
    },
    ledger,
  );
  if (!answer.ok) return { ok: false, why: answer.why, message: answer.message };
  const { text, calls, model, cutOff } = answer;
  return {
    ok: true,
    text: text.trim(),
    calls: calls.map(({ id, name, args }) => ({ wire: id, tool: name, args })),
    model,
    cutOff,
  };
}

async function guarded(work: () => Promise<ChatAnswer>): Promise<ChatAnswer> {
  try {
    return await work();
  } catch (error) {
    return { ok: false, why: 'error', message: error instanceof Error ? error.message : String(error) };
  }
}

/** What the rules know about a command that failed. */
async function diagnosis(
  brain: Brain,
  line: { command: string; output: string; exitCode?: number | undefined; cwd?: string },
): Promise<string> {
  const nothing = 'No rule knows this failure.';
  try {
    const failure = failureOf(line);
    const correction = failure === null ? null : await brain.analyzeFailure(failure, emptyContext);
    if (correction === null) return nothing;
    const { reasoning, confidence } = correction;
    return `${reasoning}${proposed(correction)} (by rule, ${Math.round(confidence * 100)} % sure)`;
  } catch {
    return nothing;
  }
}

/** What it would do, in lines that a person or a model can read. */
function proposed({ modifiedCommand, modifiedStep, newSteps = [] }: Correction): string {
  const lines = [...newSteps.map(({ action }) => action), modifiedCommand ?? modifiedStep?.action];
  const shown = lines.filter((line) => line !== undefined).map((line) => `\`${line}\``);
  return shown.length === 0 ? '' : ` Try: ${shown.join(', then ')}`;
}
