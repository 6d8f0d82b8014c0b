import type { RunState } from '@contract';
import { useStore } from 'zustand';
import { type Feed, type FeedStore, openFeed } from './feed.ts';
import { holdFeeds, useHeld } from './held.ts';

const feeds = holdFeeds(openFeed);

export const useRunFeed = (id: string): FeedStore => useHeld(feeds, id);
export const useFeed = <T>(store: FeedStore, select: (feed: Feed) => T): T => useStore(store, select);
export const restartFeed = feeds.restart;

/** A run as it is known at this moment, for those who only look once. */
export const peekRun = (id: string): RunState | null => feeds.peek(id)?.getState().state ?? null;
