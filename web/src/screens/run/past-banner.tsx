import type { RunSearch } from '../../addresses.ts';
import type { FeedStore } from '../../api/feed.ts';
import { clockTime } from '../../model/time.ts';
import { Button } from '../../ui/button.tsx';
import type { Shown } from './shown.ts';

interface PastBannerProps {
  shown: Shown;
  feed: FeedStore;
  go(change: RunSearch): void;
}

/** Says that what is shown is not now, and leads back. */
export function PastBanner({ shown, feed, go }: PastBannerProps) {
  return (
    <div role="status" className="flex items-center justify-between gap-3 border-b bg-surface px-4 py-1">
      <span>
        The run as it was at <span className="num">{clockTime(shown.run.updatedAt)}</span>, event{' '}
        <span className="num">
          {shown.run.seq} of {feed.getState().tape.last}
        </span>
      </span>
      <Button look="primary" hint="." onClick={() => go({ at: undefined })}>
        Back to now
      </Button>
    </div>
  );
}
