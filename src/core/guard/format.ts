import type { GuardAnswer } from '../contract/guard/index.ts';
import type { SimpleAction } from '../contract/index.ts';

/** One call of a tool, as an agent tells of it. */
export interface HookCall {
  /** Before the tool is used, after it, or something else that happened. */
  when: 'before' | 'after' | 'other';
  session: string;
  /** Names the call within the session: the same before it and after it. Empty where the agent names none. */
  call: string;
  /** What the tool was given, as the agent tells it: the same before and after. */
  given: unknown;
  tool: string;
  /** Where it would run. */
  cwd: string;
  /** Where the agent is: no call can say otherwise. */
  base: string;
  /** The folder that the agent works in, where it says so. */
  root: string | null;
  /** What it would do; null for a tool that is not known here. */
  actions: readonly SimpleAction[] | null;
  /** Somebody is there who could be asked. */
  canAsk: boolean;
}

/** What of the input is not as the agent writes it: a sentence. */
export interface NotRead {
  problem: string;
}

/** What the agent is told, in its own words. `none` is no objection. */
export interface HookReply {
  stdout: string;
  exitCode: number;
}

/** How one agent speaks with its hooks. Pure; `read` never throws. */
export interface HookFormat {
  read(input: Fields, env: Readonly<Record<string, string | undefined>>): HookCall | NotRead;
  reply(answer: GuardAnswer, reason: string, call: Pick<HookCall, 'when'> | null): HookReply;
}

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textIn = (fields: Fields, ...names: string[]): string | null => {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
};

/** The session of what names none. */
export const UNREADABLE = 'unreadable';

/** What of the input names its event, its session, its folder and its tool, where the rest cannot be read. */
export const namedIn = (
  input: Fields,
): Pick<HookCall, 'when'> & { session: string | null; cwd: string | null; tool: string | null } => ({
  when: /^(?:post|after)/i.test(textIn(input, 'hook_event_name') ?? '') ? 'after' : 'before',
  session: textIn(input, 'session_id', 'conversation_id', 'sessionId'),
  cwd: textIn(input, 'cwd'),
  tool: textIn(input, 'tool_name', 'toolName'),
});

/** No objection: an object with nothing in it, because an agent takes silence for an answer, and a wrapper must not. */
export const noObjection: HookReply = { stdout: '{}\n', exitCode: 0 };

/** No objection, and something that the person is shown, by agents that have a place for it. */
export const telling = (systemMessage: string): HookReply =>
  systemMessage === '' ? noObjection : replying({ systemMessage });

export const replying = (value: object): HookReply => ({
  stdout: `${JSON.stringify(value)}\n`,
  exitCode: 0,
});
