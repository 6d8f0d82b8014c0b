import type { RunSearch } from '../../../addresses.ts';
import type { FeedStore } from '../../../api/feed.ts';
import type { Shown } from '../shown.ts';

export interface PaneProps {
  shown: Shown;
  feed: FeedStore;
  stepId: string;
  /** Which attempt is looked at; null where there has been none. */
  attempt: number | null;
  search: RunSearch;
  go(change: RunSearch): void;
}
