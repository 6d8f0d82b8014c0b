import type { GuardEvent, GuardedAgent, GuardFact, GuardRow } from '../../../core/contract/guard/index.ts';
import { keptGuards } from '../../../core/guard/kept.ts';
import { kindsOf } from '../../../core/stream/index.ts';
import { thisDriver } from '../../../world/process/identity.ts';
import { isLogLong, openStore, systemClock } from '../../../world/store/index.ts';
import { placeOf } from '../../../world/workspace/index.ts';
import { agreeAtFirst } from '../agreed.ts';
import { newKey, runIdFor } from '../ids.ts';
import type { Places } from '../places.ts';

/** The stream of one session of an agent. */
export interface SessionJournal {
  id: string;
  /** Null before the first call. */
  row(): Promise<GuardRow | null>;
  /** Durable when it resolves. Begins the stream where there is none. Rejects with a StoreError. */
  write(workspace: string, ...facts: GuardFact[]): Promise<void>;
  close(): Promise<void>;
  /** For a process that ends now: the store is left to the system, and tidied up by one in many. */
  leave(): Promise<void>;
}

export const guardStream = (agent: GuardedAgent, session: string): string =>
  runIdFor(`guard:${agent}:${session}`);

export async function openSessionJournal(
  places: Places,
  agent: GuardedAgent,
  session: string,
): Promise<SessionJournal> {
  await agreeAtFirst(places);
  const store = await openStore<GuardEvent>({
    dir: places.data,
    driver: thisDriver(),
    kinds: kindsOf(keptGuards),
  });
  const id = guardStream(agent, session);
  const stamped = (fact: GuardFact): GuardEvent => ({ ...fact, v: 1, at: systemClock.now() });
  return {
    id,
    row: () => store.row<GuardRow>(id),
    async write(workspace, ...facts) {
      const events = facts.map(stamped);
      if ((await store.kindOf(id)) === null) {
        const begun = stamped({ type: 'guard-begun', agent, session, place: placeOf(workspace) });
        const answer = await store.begin(id, {
          kind: keptGuards.name,
          id: newKey(),
          events: [begun, ...events],
        });
        // Another call of the session was first.
        if (answer.ok) return;
      }
      await store.append(id, { id: newKey(), events });
    },
    close: () => store.close(),
    async leave() {
      if (isLogLong(places.data)) await store.close();
    },
  };
}
