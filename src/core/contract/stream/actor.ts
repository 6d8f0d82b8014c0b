import { z } from 'zod';

/** Where somebody came in. */
export const Door = z.enum(['terminal', 'page', 'api', 'library', 'worker']);
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
export const Scope = z.enum(['read', 'ask', 'decide']);
export type Scope = z.infer<typeof Scope>;

export const allows = (has: Scope, needed: Scope): boolean =>
  Scope.options.indexOf(has) >= Scope.options.indexOf(needed);

/** `ana at the terminal`, for people. */
export const actorWords = ({ person, door, client }: Actor): string =>
  `${person} ${doorWords[door]}${client === undefined ? '' : ` (${client})`}`;

const doorWords: Record<Door, string> = {
  terminal: 'at a terminal',
  page: 'on the page',
  api: 'over the API',
  library: 'by a program',
  worker: 'by a worker',
};
