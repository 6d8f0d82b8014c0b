import type { Actor, ChildFact, ChildState } from '../contract/index.ts';
import type { Effect } from './effects.ts';
import type { AnyEvent } from './ports.ts';

/** What a parent does about its children. */
export type ChildWork =
  | { kind: 'begin-child'; child: string; of: string; events: AnyEvent[] }
  | { kind: 'cancel-child'; child: string };

/** What streams do to other streams. Doing the same twice is doing it once. Rejects only with what the store throws. */
export interface Children {
  begin(child: string, kind: string, events: AnyEvent[]): Promise<void>;
  /** Passes a cancel on, in the name of whoever asked the parent for it. */
  cancel(child: string, by: Actor): Promise<void>;
}

type ChildBody = ChildFact extends infer F ? (F extends ChildFact ? Omit<F, 'v' | 'at'> : never) : never;
type ChildEffect = Effect<ChildBody, ChildWork>;

/** That a child is awaited stands in the journal before there is anything to wait for. */
export const wantChild = (child: string, kind: string): ChildEffect => ({
  kind: 'record',
  facts: [{ type: 'child-started', child, kind }],
});

/**
 * What to do about the child that is open: begin it, where that is not known to be done; tell it to stop, where the parent
 * was told so; and otherwise rest until it has ended. Null where none is open. `eventsOf` makes the same events each time.
 */
export function awaitChild(
  children: readonly ChildState[],
  isCancelled: boolean,
  eventsOf: (child: ChildState) => AnyEvent[],
): ChildEffect | null {
  const open = children.find(({ ended }) => ended === null);
  if (open === undefined) return null;
  if (!open.isBegun) {
    const { id: child, kind: of } = open;
    return { kind: 'perform', intent: [], work: { kind: 'begin-child', child, of, events: eventsOf(open) } };
  }
  if (isCancelled && !open.isCancelled) {
    return { kind: 'perform', intent: [], work: { kind: 'cancel-child', child: open.id } };
  }
  return { kind: 'rest', why: 'waiting', wakeAt: null };
}

export async function performChild(children: Children, work: ChildWork, by: Actor): Promise<ChildBody[]> {
  const { child } = work;
  if (work.kind === 'begin-child') {
    await children.begin(child, work.of, work.events);
    return [{ type: 'child-begun', child }];
  }
  await children.cancel(child, by);
  return [{ type: 'child-cancelled', child }];
}
