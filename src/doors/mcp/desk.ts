import type { z } from 'zod';
import type { App } from '../app/app.ts';
import type { Asker } from '../app/asker.ts';
import type { Drivers } from '../app/drivers.ts';
import type { Env } from '../app/places.ts';

/** What every tool works with: one for a connection by stdio, one for all that come over HTTP. */
export interface McpDesk {
  app: App;
  env: Env;
  drivers: Pick<Drivers, 'dispatch'>;
  version: string;
  /** Whoever came in where no request says who it was: by stdio it is the person whose process this is. */
  owner: Asker;
  /** Where the page is served; null where nobody serves it. */
  pageUrl(): Promise<string | null>;
  /** What nobody foresaw. */
  onError(what: string, error: unknown): void;
}

/** What a tool says of itself, in the words of the protocol: each is true of everything that it may do. */
export interface Hints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export const looks: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** A tool: what it is given, what it answers, and how. Throws an AppError for what the caller can put right. */
export interface Tool<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  about: string;
  hints: Hints;
  input: I;
  output: O;
  call(given: z.output<I>, visit: Visit): Promise<z.input<O> | Asks>;
}

export const tool = <I extends z.ZodType, O extends z.ZodType>(given: Tool<I, O>): Tool =>
  given as unknown as Tool;

/** The call cannot be answered before the client has: in the protocol's own words. */
export class Asks {
  readonly asked: import('@modelcontextprotocol/server').InputRequiredResult;
  constructor(asked: Asks['asked']) {
    this.asked = asked;
  }
}

/** What goes round with a question, sealed: nobody but this process makes one. */
export interface AskedRound {
  run: string;
  /** Which question was put; missing where none was yet. */
  asks?: string;
}

/** One call of one client. */
export interface Visit {
  desk: McpDesk;
  caller: Visitor;
  /** What the client answered, by what was asked. Anything may be in it. */
  answers: Readonly<Record<string, unknown>>;
  round: AskedRound | null;
  seal(round: AskedRound): Promise<string>;
  signal: AbortSignal;
  /** Says how far it is, where the client wants to hear it. Never throws. */
  progress(at: number, sentence: string): Promise<void>;
}

export interface Visitor {
  /** May ask at most. */
  asker: Asker;
  /** Whether the person whom it comes for may decide at all. */
  mayDecide: boolean;
  /** The name that the client gives itself. */
  client: string;
  /** The folders that it works in, as real paths. Empty where none of those that it named is a folder here. */
  roots: readonly string[];
  hasRoots: boolean;
  canAsk: boolean;
  hasTasks: boolean;
}
