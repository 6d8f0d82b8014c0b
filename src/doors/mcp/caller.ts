import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { allows } from '../../core/contract/index.ts';
import { visible } from '../../core/contract/told/index.ts';
import type { Asker } from '../app/asker.ts';
import type { McpDesk, Visitor } from './desk.ts';

/** The extension by which long calls become tasks. */
export const TASKS = 'io.modelcontextprotocol/tasks';

const Roots = z.looseObject({ roots: z.array(z.looseObject({ uri: z.string().max(4096) })).max(1000) });
const Named = z.looseObject({ name: z.string().min(1), version: z.string().optional() });
const longest = 80;

/** Said with each request of today's protocol, and once at the beginning of yesterday's. */
function saidOf(server: McpServer, ctx: ServerContext): { info: unknown; capabilities: ClientCapabilities } {
  const envelope = ctx.mcpReq.envelope as Record<string, unknown> | undefined;
  return {
    info: envelope?.[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion(),
    capabilities: (envelope?.[CLIENT_CAPABILITIES_META_KEY] ??
      server.server.getClientCapabilities() ??
      {}) as ClientCapabilities,
  };
}

/** Who calls. `given`: what the client answered when it was asked for its roots; undefined where it was not. */
export function callerOf(desk: McpDesk, server: McpServer, ctx: ServerContext, given: unknown): Visitor {
  const { info, capabilities } = saidOf(server, ctx);
  const named = Named.safeParse(info);
  const client = named.success ? visible(named.data.name).slice(0, longest) : 'a client without a name';
  const version = named.success && named.data.version ? ` ${visible(named.data.version).slice(0, 40)}` : '';
  const owner = (ctx.http?.authInfo?.extra?.['asker'] as Asker | undefined) ?? desk.owner;
  const { elicitation, extensions } = capabilities;
  return {
    asker: {
      ...owner,
      scope: allows(owner.scope, 'ask') ? 'ask' : owner.scope,
      actor: { ...owner.actor, door: 'mcp', client: `${client}${version}` },
    },
    mayDecide: owner.from === undefined && allows(owner.scope, 'decide'),
    client,
    roots: foldersOf(given, desk.app.workspace),
    hasRoots: capabilities.roots !== undefined,
    // One that names no way of asking means forms.
    canAsk: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    hasTasks: extensions?.[TASKS] !== undefined,
  };
}

/** Where a client names no folder, the one that the server was started in. What is no folder here is left out. */
function foldersOf(given: unknown, usual: string): string[] {
  if (given === undefined) return [usual];
  const parsed = Roots.safeParse(given);
  if (!parsed.success) return [];
  const { roots } = parsed.data;
  return roots.length === 0 ? [usual] : roots.flatMap(({ uri }) => folderAt(uri));
}

function folderAt(uri: string): string[] {
  try {
    return uri.startsWith('file:') ? [realpathSync(fileURLToPath(uri))] : [];
  } catch {
    return [];
  }
}
