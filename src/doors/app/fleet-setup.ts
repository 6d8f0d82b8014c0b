import type { z } from 'zod';
import { ChatRequest, RequestEvent } from '../../core/contract/index.ts';
import { ScheduleRequest } from '../../core/contract/schedules/index.ts';
import { AgentRequest, ProjectRequest, TaskRequest } from '../../core/contract/tasks/index.ts';
import { thisDriver } from '../../world/process/identity.ts';
import { mustBePerson } from './agreed.ts';
import { keptKinds } from './app.ts';
import { databaseOf, rememberDatabase } from './database.ts';
import { AppError } from './errors.ts';
import { type Env, findPlaces } from './places.ts';

type Requests = { options: readonly { shape: { type: z.ZodLiteral<string> } }[] };

/** What people ask of streams of each kind. */
export const requestsOf: Readonly<Record<string, Requests | null>> = {
  run: RequestEvent,
  chat: ChatRequest,
  project: ProjectRequest,
  task: TaskRequest,
  'agent-run': AgentRequest,
  schedule: ScheduleRequest,
  guard: null,
};

const typesOf = (requests: Requests | null): string[] =>
  (requests?.options ?? []).map(({ shape }) => shape.type.value);

/**
 * The types of all requests; and those that end a stream, which is what a driver asks of what it has begun: where no kind that
 * knows such a request leaves it to those who decide.
 */
export function requestTypes(): { requests: string[]; stops: string[] } {
  const isAsked = (cancel: { type: string }) =>
    keptKinds.every((kind) => !kind.isRequest(cancel) || kind.scopeOf(cancel) === 'ask');
  return {
    requests: [...new Set(Object.values(requestsOf).flatMap(typesOf))],
    stops: [...new Set(keptKinds.flatMap(({ cancel }) => (isAsked(cancel) ? [cancel.type] : [])))],
  };
}

/** Gives the roles of servers and workers what they need in the database, as its owner. Rejects where a run started this process. */
export async function setUpFleet(env: Env, roles: { server: string; worker: string }): Promise<void> {
  const places = findPlaces(env);
  await mustBePerson(places);
  const { url } = databaseOf(env, places);
  if (url === null) throw new AppError('usage', 'say which database, as its owner: --database postgres://…');
  const [{ limitRoles }, { createFleetQueue, queueSchema }] = await Promise.all([
    import('../../world/store/postgres/index.ts'),
    import('../../world/queue/fleet.ts'),
  ]);
  const queue = createFleetQueue({ url, host: thisDriver().host, courtesySeconds: 0 });
  try {
    await queue.make();
  } finally {
    await queue.close();
  }
  await limitRoles({ url, schema: 'planwright', queueSchema, ...roles, ...requestTypes() });
  rememberDatabase(places, url);
}
