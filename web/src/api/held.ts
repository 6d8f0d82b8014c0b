import { useEffect, useState } from 'react';

interface Opened<S> {
  store: S;
  close(): void;
}
type Feed<S> = Opened<S> & { users: number };

/** Feeds by name, each shared by all who watch it. */
export interface HeldFeeds<S> {
  take(id: string): Feed<S>;
  /** One who watched it has gone: it is closed a moment after the last. */
  leave(id: string, feed: Feed<S>): void;
  /** Drops what is known and begins again: for after an error. */
  restart(id: string): void;
  /** As it is known at this moment, for those who only look once. */
  peek(id: string): S | null;
}

export function holdFeeds<S>(open: (id: string) => Opened<S>): HeldFeeds<S> {
  const held = new Map<string, Feed<S>>();
  return {
    take(id) {
      let feed = held.get(id);
      if (feed === undefined) {
        feed = { ...open(id), users: 0 };
        held.set(id, feed);
      }
      return feed;
    },
    leave(id, feed) {
      feed.users -= 1;
      setTimeout(() => {
        if (feed.users > 0 || held.get(id) !== feed) return;
        held.delete(id);
        feed.close();
      }, 1000);
    },
    restart(id) {
      held.get(id)?.close();
      held.delete(id);
    },
    peek: (id) => held.get(id)?.store ?? null,
  };
}

/** One of the feeds, for as long as it is looked at. */
export function useHeld<S>(feeds: HeldFeeds<S>, id: string): S {
  const [known, setKnown] = useState(() => ({ id, feed: feeds.take(id) }));
  const current = known.id === id ? known.feed : feeds.take(id);
  useEffect(() => {
    const feed = feeds.take(id);
    setKnown((before) => (before.feed === feed ? before : { id, feed }));
    feed.users += 1;
    return () => feeds.leave(id, feed);
  }, [feeds, id]);
  return current.store;
}
