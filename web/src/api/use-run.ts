import type { RunState } from '@contract';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { type Feed, type FeedStore, openFeed } from './feed.ts';

interface Held {
  store: FeedStore;
  close(): void;
  users: number;
}
const held = new Map<string, Held>();

function take(id: string): Held {
  let feed = held.get(id);
  if (feed === undefined) {
    feed = { ...openFeed(id), users: 0 };
    held.set(id, feed);
  }
  return feed;
}

/** The feed of a run, shared by all who watch it, closed a moment after the last has gone. */
export function useRunFeed(id: string): FeedStore {
  const [feeds, setFeed] = useState(() => ({ id, feed: take(id) }));
  const current = feeds.id === id ? feeds.feed : take(id);
  useEffect(() => {
    const feed = take(id);
    setFeed((known) => (known.feed === feed ? known : { id, feed }));
    feed.users += 1;
    return () => {
      feed.users -= 1;
      setTimeout(() => {
        if (feed.users > 0 || held.get(id) !== feed) return;
        held.delete(id);
        feed.close();
      }, 1000);
    };
  }, [id]);
  return current.store;
}

export const useFeed = <T>(store: FeedStore, select: (feed: Feed) => T): T => useStore(store, select);

/** Drops what is known of a run and begins again: for after an error. */
export function restartFeed(id: string): void {
  held.get(id)?.close();
  held.delete(id);
}

/** A run as it is known at this moment, for those who only look once. */
export const peekRun = (id: string): RunState | null => held.get(id)?.store.getState().state ?? null;
