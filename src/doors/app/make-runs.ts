import {
  type Actor,
  type FactBody,
  hashPlan,
  nowhere,
  type RequestBody,
  type RunEvent,
  scopeOf,
} from '../../core/contract/index.ts';
import { systemClock } from '../../world/store/index.ts';
import { limitedBy, mustAllow } from './asker.ts';
import { newKey, newRunId, runIdFor } from './ids.ts';
import { completeInputs } from './inputs.ts';
import type { NewGoal, NewRun, Runs, RunsOptions } from './runs.ts';

const placeAt = async (workspace: string) =>
  (await import('../../world/workspace/index.ts')).placeOf(workspace);

const stamp = (body: FactBody): RunEvent => ({ v: 1, at: systemClock.now(), ...body }) as RunEvent;

/** How runs come to be: of a plan, or of a goal whose plan is still to be made. */
export function makingRuns(options: RunsOptions): Pick<Runs, 'create' | 'plan'> {
  const { store, givenHere, begunHere, startedHere, sources } = options;
  const begin = async (id: string, key: string | undefined, events: RunEvent[]) => {
    // A conflict says that this key has made its run before.
    const begun = await store.begin(id, { kind: 'run', id: `begin:${key ?? newKey()}`, events });
    if (begun.ok && !begun.repeated) begunHere.add(id);
    return id;
  };
  /** Before the journal names it. */
  const keepFetched = async (id: string, { address, bytes }: NonNullable<NewRun['fetched']>) => {
    const { keepByHash } = await import('../../world/tools/index.ts');
    return { address, sha256: await keepByHash(store.output, id, 'fetched', bytes), bytes: bytes.length };
  };
  const create = async (wanted: NewRun) => {
    const { plan, workspace, agreed, key, parent, sealed, gitSource, here, fetched } = wanted;
    const inputs = await completeInputs(plan, wanted.options.inputs, null);
    const options = { ...wanted.options, inputs };
    const id = key === undefined ? newRunId() : runIdFor(key);
    const from = parent === undefined ? {} : { parent };
    const place = await (gitSource === undefined
      ? placeAt(workspace)
      : here === true
        ? sources.place(id, gitSource)
        : nowhere);
    const source = gitSource === undefined ? {} : { gitSource };
    const text = fetched === undefined ? {} : { fetched: await keepFetched(id, fetched) };
    const given = givenHere.given({ plan, inputs }, sealed);
    const events = [
      stamp({
        type: 'plan-created',
        plan,
        hash: hashPlan(plan),
        place,
        ...given,
        options,
        ...source,
        ...text,
        ...from,
      }),
    ];
    if (agreed !== undefined) {
      const decision = { type: 'plan-decided', revision: plan.revision, decision: 'all' } as const;
      // What a run started may start another: nothing dangerous in it is agreed on by that.
      if (startedHere === null) mustAllow(agreed, scopeOf(decision));
      events.push(asRequest(decision, limitedBy(agreed, startedHere).actor, newKey()));
    }
    return begin(id, key, events);
  };
  const plan = async ({ goal, workspace, options, chain, shell, attended = false, key }: NewGoal) => {
    const id = key === undefined ? newRunId() : runIdFor(key);
    const events = [
      stamp({
        type: 'goal-given',
        goal,
        place: await placeAt(workspace),
        ...givenHere.given({}),
        options,
        chain,
        shell,
        ...(attended ? { attended } : {}),
      }),
    ];
    return begin(id, key, events);
  };
  return { create, plan };
}

const asRequest = (body: RequestBody, by: Actor, key: string): RunEvent =>
  ({ v: 1, at: systemClock.now(), key, by, ...body }) as RunEvent;
