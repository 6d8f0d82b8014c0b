import type { FeedStore } from '../../api/feed.ts';
import { useFeed } from '../../api/use-run.ts';
import { stopWords } from '../../model/words.ts';
import { Notice, Skeleton } from '../../ui/notice.tsx';
import type { Shown } from '../run/shown.ts';

/** A run that has no plan yet, as its journal tells it. */
export function PlanningView({ shown, feed }: { shown: Shown; feed: FeedStore }) {
  const events = useFeed(feed, (state) => state.tape.events.length);
  const { run } = shown;
  if (run.ended)
    return (
      <Notice title="No plan came of it">{run.message ?? stopWords(run.stopReason ?? 'stopped')}</Notice>
    );
  return (
    <div className="mx-auto max-w-190 px-4 pt-[9vh]">
      <p role="status" className="flex items-center gap-2 text-mind">
        <span aria-hidden="true" className="motion-pulse size-2 rounded-full bg-current" />
        Making a plan
      </p>
      <p className="num text-faint">event {events}</p>
      <Skeleton rows={5} />
    </div>
  );
}
