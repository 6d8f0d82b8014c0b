import {
  answerOf,
  type CallState,
  type ChatState,
  picturesOf,
  type Round,
  type Turn,
  turnsOf,
} from '../../core/contract/index.ts';
import type { Message, SentPicture } from '../../world/models/index.ts';
import { resultText } from './result-text.ts';

/** So much of a result that is not among the last is told again. */
const OLD_RESULT = 1500;
/** Rounds whose results are told whole. */
const FRESH_ROUNDS = 6;
/** More than this is told in short first: about 60,000 tokens of English. */
const LONGEST = 240_000;

/** Turns before the open one whose pictures are shown again: there is talk about them. */
const SHOWN_TURNS = 3;

/** Of which turns the pictures are shown to the model. What failed may have failed for them. */
export const shownTurns = (state: ChatState): Turn[] =>
  turnsOf(state)
    .slice(-1 - SHOWN_TURNS)
    .filter((turn) => turn.outcome === null || turn.outcome === 'answered');

/** Everything that was said, as a model takes it: each answer after its question, each result after its call. */
export function messagesOf(
  state: ChatState,
  redact: (text: string) => string,
  pictures: ReadonlyMap<string, SentPicture> = new Map(),
): Message[] {
  const { summary } = state;
  const turns = turnsOf(state).filter(({ n }) => n > (summary?.upTo ?? 0));
  const told = summary === null ? '' : summaryText(state);
  const messages = turns.flatMap((turn) => messagesOfTurn(state, turn, pictures));
  const [first, ...rest] = messages;
  if (first === undefined) return [];
  const content = told === '' ? first.content : `<earlier>\n${told}\n</earlier>\n\n${first.content}`;
  return [{ ...first, content }, ...rest].map((message) => redacted(message, redact));
}

function summaryText(state: ChatState): string {
  const { summary } = state;
  if (summary === null || summary.text === '') return '';
  return summary.text ?? digest(turnsOf(state).filter(({ n }) => n <= summary.upTo));
}

/** Without a model: what was asked and the beginning of what was answered. Nothing is dropped silently. */
const digest = (turns: readonly Turn[]): string =>
  turns
    .slice(-40)
    .map((turn) => `- ${oneLine(turn.text, 200)} → ${oneLine(answerOf(turn), 200)}`)
    .join('\n');

const oneLine = (text: string, most: number): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
};

function messagesOfTurn(state: ChatState, turn: Turn, pictures: ReadonlyMap<string, SentPicture>): Message[] {
  const { workspace } = state;
  const rounds = turn.rounds.filter(({ failure }) => failure === null);
  const fresh = turn.outcome === null ? rounds.length - FRESH_ROUNDS : rounds.length;
  const all = picturesOf(turn);
  const shown = all.flatMap(({ hash }) => pictures.get(hash) ?? []);
  const hidden =
    all.length > shown.length ? `\n\n(${all.length - shown.length} pictures are not shown.)` : '';
  const first: Message = { role: 'user', content: turn.text + hidden + declined(turn) };
  const messages: Message[] = [shown.length === 0 ? first : { ...first, pictures: shown }];
  rounds.forEach((round, at) => {
    const { text, calls, note } = round;
    if (calls.length === 0) {
      if (text !== '') messages.push({ role: 'assistant', content: text });
      return;
    }
    messages.push({ role: 'assistant', content: text, calls: calls.map(asCall) });
    const most = at < fresh ? OLD_RESULT : Number.POSITIVE_INFINITY;
    const results = calls.map((call) => ({
      id: call.wire,
      name: call.tool,
      text: cut(resultText(call, workspace), most),
    }));
    messages.push({ role: 'user', content: note ?? '', results });
  });
  return turn.outcome === null ? messages : closed(messages, turn);
}

/** As the model made it: what a person has changed is told with the result. */
const asCall = ({ wire, tool, args, written }: CallState) => ({
  id: wire,
  name: tool,
  args: asObject(written ?? args),
});
/** Providers take objects alone. */
const asObject = (args: unknown): unknown =>
  typeof args === 'object' && args !== null && !Array.isArray(args) ? args : { invalid: args };

const declined = ({ plans }: Turn): string =>
  plans.some(({ agreed }) => !agreed)
    ? '\n\n(A plan for this was not agreed on. Answer without one, step by step, with the tools.)'
    : '';

/** A turn that is over ends with something that was said: the next one begins with the person again. */
function closed(messages: Message[], turn: Turn): Message[] {
  const last = messages.at(-1);
  if (last?.role === 'assistant' && last.calls === undefined) return messages;
  const said = turn.plans.find(({ agreed }) => agreed)?.message ?? turn.message ?? '';
  return [...messages, { role: 'assistant', content: said || `[${turn.outcome}]` }];
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}\n[shortened]` : text;

function redacted(message: Message, redact: (text: string) => string): Message {
  const { calls, results, content } = message;
  return {
    ...message,
    content: redact(content),
    ...(calls === undefined
      ? {}
      : { calls: calls.map((call) => ({ ...call, args: deep(call.args, redact) })) }),
    ...(results === undefined
      ? {}
      : { results: results.map((result) => ({ ...result, text: redact(result.text) })) }),
  };
}

function deep(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => deep(each, redact));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, deep(each, redact)]));
}

const sizeOf = (rounds: readonly Round[], workspace: string): number =>
  rounds.reduce(
    (sum, { text, calls }) =>
      sum +
      text.length +
      calls.reduce((n, call) => n + resultText(call, workspace).length + JSON.stringify(call.args).length, 0),
    0,
  );

/** Up to which turn has to be told in short first; null where all of it can be told. */
export function tooLong(state: ChatState): number | null {
  const past = state.past.flat().filter(({ n }) => n > (state.summary?.upTo ?? 0));
  const size = past.reduce((sum, turn) => sum + turn.text.length + sizeOf(turn.rounds, state.workspace), 0);
  return size > LONGEST ? (past.at(-1)?.n ?? null) : null;
}
