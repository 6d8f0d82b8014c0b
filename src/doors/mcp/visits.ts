import {
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { initialRunState } from '../../core/contract/index.ts';
import { StoreError } from '../../world/store/index.ts';
import { CheckpointError } from '../../world/workspace/index.ts';
import { AppError } from '../app/errors.ts';
import { trustedFolders } from '../app/trust.ts';
import { callerOf } from './caller.ts';
import type { AskedRound, McpDesk, Visit } from './desk.ts';

/** One call, and who makes it. `trusted`: in place of its roots, which not every method of the protocol can ask for. */
export type VisitOf = (ctx: ServerContext, within?: 'trusted') => Visit;

export const visitsTo =
  (desk: McpDesk, server: McpServer, codec: RequestStateCodec<AskedRound>): VisitOf =>
  (ctx, within) => {
    const answers = ctx.mcpReq.inputResponses ?? {};
    const caller = callerOf(desk, server, ctx, answers['roots']);
    const { progressToken } = ctx.mcpReq._meta ?? {};
    return {
      ...{ desk, answers },
      caller: within === undefined ? caller : { ...caller, roots: trustedFolders(desk.app.places) },
      round: ctx.mcpReq.requestState<AskedRound>() ?? null,
      seal: (next) => codec.mint(next, ctx),
      signal: ctx.mcpReq.signal,
      async progress(progress, message) {
        if (progressToken === undefined) return;
        const params = { progressToken, progress, message };
        await ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
      },
    };
  };

/** Works where the roots of the client are known; where they are not it is asked for them first. */
export async function withRoots<T>(
  visit: Visit,
  work: (visit: Visit) => Promise<T>,
): Promise<T | InputRequiredResult> {
  const { caller, answers, round, seal } = visit;
  if (!caller.hasRoots || answers['roots'] !== undefined) return work(visit);
  const requestState = round === null ? {} : { requestState: await seal(round) };
  return inputRequired({ inputRequests: { roots: inputRequired.listRoots() }, ...requestState });
}

/** For whoever called; of what nobody foresaw it says nothing but that: it may hold anything. */
export function sentenceFor({ app, onError }: McpDesk, what: string, error: unknown): string {
  const isKnown =
    error instanceof AppError || error instanceof StoreError || error instanceof CheckpointError;
  if (isKnown) return app.redactorFor(initialRunState).value(`${error.code}: ${error.message}`);
  onError(what, error);
  return 'internal: this should not have happened; whoever runs Planwright is told more';
}
