import { z } from 'zod';
import { SimpleAction } from '../action.ts';
import { Actor, StartedBy } from '../stream/actor.ts';
import { fact } from '../stream/fact.ts';
import { Place } from '../stream/place.ts';
import { RiskLevel, Verdict } from '../verdict.ts';

/** The agents of others that the guard speaks with. */
export const guardedAgents = ['claude-code', 'codex', 'gemini', 'cursor', 'copilot', 'opencode'] as const;
export const GuardedAgent = z.enum(guardedAgents);
export type GuardedAgent = z.infer<typeof GuardedAgent>;

/** What the agent was told: `none` is no objection, and leaves its own rules to decide. */
export const GuardAnswer = z.enum(['none', 'ask', 'deny']);
export type GuardAnswer = z.infer<typeof GuardAnswer>;

const facts = [
  fact('guard-begun', { agent: GuardedAgent, session: z.string(), place: Place }),
  fact('call-judged', {
    /** Names the verdict, for people. */
    id: z.string(),
    /** Names the call within its session, as the agent does. */
    call: z.string(),
    /** The tool as the agent calls it. */
    tool: z.string(),
    /** What it would do, in one line; empty where the tool is none that changes or runs something. */
    text: z.string(),
    cwd: z.string(),
    /** Null where nothing was judged: a tool that is not known, or what could not be read. */
    level: RiskLevel.nullable(),
    answer: GuardAnswer,
    /** What the agent was told with it. */
    reason: z.string(),
    /** Of what was asked about or denied: the action that it was for, and its verdict, so that a person can allow exactly it. */
    judged: z.strictObject({ action: SimpleAction, verdict: Verdict }).optional(),
    /** The folder as it was before. */
    checkpoint: z.string().optional(),
  }),
  fact('call-ended', { call: z.string(), checkpoint: z.string() }),
  /** The folder was to be kept, and could not be: undo does not know of this call, or not where it ended. */
  fact('checkpoint-failed', { call: z.string(), when: z.enum(['before', 'after']), why: z.string() }),
  fact('guard-undo-begun', { checkpoint: z.string() }),
  fact('guard-undone', { restored: z.int(), left: z.array(z.string()) }),
  fact('refused-at-door', { by: Actor, asked: z.string(), from: StartedBy, message: z.string() }),
] as const;

export const GuardEvent = z.discriminatedUnion('type', [...facts]);
export type GuardEvent = z.infer<typeof GuardEvent>;
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type GuardFact = Without<GuardEvent, 'v' | 'at'>;
export type JudgedCall = Extract<GuardEvent, { type: 'call-judged' }>;

/** By name: whoever only writes an event, or looks at what type it is, loads no schemas for it. */
const known: Readonly<Record<GuardEvent['type'], true>> = {
  'guard-begun': true,
  'call-judged': true,
  'call-ended': true,
  'checkpoint-failed': true,
  'guard-undo-begun': true,
  'guard-undone': true,
  'refused-at-door': true,
};
export const isGuardEvent = ({ type, v }: { type: string; v: number }): boolean =>
  v === 1 && Object.hasOwn(known, type);
