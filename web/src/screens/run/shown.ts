import type { RunState } from '@contract';
import { useMemo } from 'react';
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
}

export function useShown(feed: FeedStore, at: number | undefined): Shown | null {
  const id = useFeed(feed, (state) => state.id);
  const state = useFeed(feed, (now) => now.state);
  const version = useFeed(feed, (now) => now.version);
  const { chronicle, tape } = feed.getState();
  const liveFrom = useFeed(feed, (now) => now.liveFrom);
  const complete = chronicle.complete;
  const past = useMemo(() => {
    if (at === undefined || !complete || at >= tape.last) return null;
    const then = new Chronicle();
    for (const event of tape.events.slice(0, at)) then.add(event);
    then.complete = true;
    return { run: tape.at(at), chronicle: then };
  }, [at, complete, tape]);
  return useMemo(() => {
    if (state === null) return null;
    if (past !== null) return { id, ...past, version: -1, live: false, liveFrom };
    return { id, run: state, chronicle, version, live: true, liveFrom };
  }, [id, state, chronicle, version, past, liveFrom]);
}
