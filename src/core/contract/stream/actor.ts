import { z } from 'zod';

/** Where somebody came in. */
export const Door = z.enum(['terminal', 'page', 'api', 'library', 'worker', 'mcp', 'acp']);
export type Door = z.infer<typeof Door>;

/** Who asks: which person, through which door, and by which of its clients. Every request carries its own. */
export const Actor = z.strictObject({
  person: z.string().min(1),
  door: Door,
  /** A tool that came in by that door. */
  client: z.string().min(1).optional(),
});
export type Actor = z.infer<typeof Actor>;

/** What Planwright itself started, and who comes from it: it decides nothing. `run` is null where none is known. */
export const StartedBy = z.strictObject({
  run: z.string().nullable(),
  step: z.string().optional(),
  service: z.string().optional(),
  /** An agent of somebody else, under the guard. */
  agent: z.string().optional(),
  pid: z.int(),
});
export type StartedBy = z.infer<typeof StartedBy>;

/** Somebody was turned away at a door: what they asked for was not even put to the stream. */
export interface TurnedAway {
  by: Actor;
  asked: string;
  from: StartedBy;
  message: string;
}

/** What somebody may do: look, ask for things, or decide what is dangerous. Each includes those before it. */
const scopes = ['read', 'ask', 'decide'] as const;
export const Scope = z.enum(scopes);
export type Scope = z.infer<typeof Scope>;

/** Read without the schema: the page asks it too. */
export const allows = (has: Scope, needed: Scope): boolean => scopes.indexOf(has) >= scopes.indexOf(needed);

/** What people are given, by the name of what they do: nobody decides on what they may not have run. */
export const Role = z.enum(['viewer', 'operator', 'admin']);
export type Role = z.infer<typeof Role>;
export const roles: Readonly<Record<Role, Scope>> = { viewer: 'read', operator: 'ask', admin: 'decide' };
export const roleOf = (scope: Scope): Role =>
  (Object.keys(roles) as Role[]).find((role) => roles[role] === scope)!;

/** What somebody with this scope may do, and who could do more; for people. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  read: 'only look',
  ask: 'ask, but not decide',
  decide: 'decide',
};

/** `ana at the terminal`, for people. */
export const actorWords = ({ person, door, client }: Actor): string =>
  `${person} ${doorWords[door]}${client === undefined ? '' : ` (${client})`}`;

const doorWords: Record<Door, string> = {
  terminal: 'at a terminal',
  page: 'on the page',
  api: 'over the API',
  library: 'by a program',
  worker: 'by a worker',
  mcp: 'over MCP',
  acp: 'in an editor',
};
