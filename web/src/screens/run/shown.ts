import { type RunState, stepState } from '@contract';
import { useEffect, useMemo } from 'react';
import type { FeedStore } from '../../api/feed.ts';
import { useFeed } from '../../api/use-run.ts';
import { Chronicle } from '../../model/chronicle.ts';

/** The run as the page shows it: as it is, or as it was at an event that was scrubbed to. */
export interface Shown {
  id: string;
  run: RunState;
  chronicle: Chronicle;
  version: number;
  live: boolean;
  /** From which event on things happened before the watcher's eyes. */
  liveFrom: number;
  /** Reads more of the past. */
  earlier(): void;
}

export function useShown(feed: FeedStore, at: number | undefined): Shown | null {
  const id = useFeed(feed, (state) => state.id);
  const state = useFeed(feed, (now) => now.state);
  const version = useFeed(feed, (now) => now.version);
  const chronicle = useFeed(feed, (now) => now.chronicle);
  const tape = useFeed(feed, (now) => now.tape);
  const liveFrom = useFeed(feed, (now) => now.liveFrom);
  const { earlier, whole } = feed.getState();
  const isHere = state !== null;
  useEffect(() => {
    if (isHere && at !== undefined) whole();
  }, [isHere, at, whole]);
  const { complete } = chronicle;
  const past = useMemo(() => {
    if (at === undefined || !complete || at >= tape.last) return null;
    return { run: tape.at(at), chronicle: Chronicle.of(tape.events.slice(0, at), true) };
  }, [at, complete, tape]);
  return useMemo(() => {
    if (state === null) return null;
    if (past !== null) return { id, ...past, version: -1, live: false, liveFrom, earlier };
    return { id, run: state, chronicle, version, live: true, liveFrom, earlier };
  }, [id, state, chronicle, version, past, liveFrom, earlier]);
}

/** Has the past read, from its end on, until all is known of these steps. */
export function useKnown({ run, chronicle, version, earlier }: Shown, stepIds: readonly string[]): boolean {
  const isKnown = stepIds.every((id) => {
    const step = stepState(run, id);
    return step === undefined || chronicle.knows(step);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each part that was read it is asked anew
  useEffect(() => {
    if (!isKnown) earlier();
  }, [isKnown, version, earlier]);
  return isKnown;
}
