import { useStore } from 'zustand';
import { type ChatFeed, type ChatFeedStore, openChatFeed } from './chat-feed.ts';
import { holdFeeds, useHeld } from './held.ts';

const feeds = holdFeeds(openChatFeed);

export const useChatFeed = (id: string): ChatFeedStore => useHeld(feeds, id);
export const useChat = <T>(store: ChatFeedStore, select: (feed: ChatFeed) => T): T => useStore(store, select);
export const restartChat = feeds.restart;
