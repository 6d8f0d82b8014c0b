import { ApiError, isPlanning, type RunState } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { client } from '../../api/client.ts';
import type { FeedStore } from '../../api/feed.ts';
import { restartFeed, useFeed, useRunFeed } from '../../api/use-run.ts';
import { useTitle } from '../../shell/announcer.tsx';
import { useKeys } from '../../shell/keys.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Notice, Skeleton, Trouble } from '../../ui/notice.tsx';
import { AgreeView } from '../new/agree-view.tsx';
import { PlanningView } from '../new/planning-view.tsx';
import { RunView } from './run-view.tsx';
import { type Shown, useShown } from './shown.ts';

const AskPanel = lazy(() => import('../chat/ask-panel.tsx').then((m) => ({ default: m.AskPanel })));

export function RunScreen() {
  const { id } = useParams({ from: '/runs/$id' });
  return <RunOf key={id} id={id} />;
}

function RunOf({ id }: { id: string }) {
  const { at } = useSearch({ from: '/runs/$id' });
  const feed = useRunFeed(id);
  const error = useFeed(feed, (state) => state.error);
  const shown = useShown(feed, at);
  useTitle(shown?.run.plan?.goal ?? shown?.run.planning?.goal ?? '');
  if (error instanceof ApiError && error.status === 404) return <NoRun id={id} />;
  if (error !== null)
    return (
      <Trouble
        error={error}
        retry={() => {
          restartFeed(id);
          location.reload();
        }}
      />
    );
  if (shown === null) return <Skeleton rows={10} />;
  return (
    <Beside id={id} run={shown.run}>
      <Shape shown={shown} feed={feed} />
    </Beside>
  );
}

/** With a conversation about the run beside it, where somebody asks. */
function Beside({ id, run, children }: { id: string; run: RunState; children: ReactNode }) {
  const { ask = false } = useSearch({ from: '/runs/$id' });
  const navigate = useNavigate({ from: '/runs/$id' });
  const show = (on: boolean) =>
    void navigate({ search: (before) => ({ ...before, ask: on ? true : undefined }), replace: true });
  useKeys({ t: () => show(!ask) });
  return (
    <div className={cx('grid h-full', ask ? 'grid-cols-[minmax(0,1fr)_auto]' : 'grid-cols-[minmax(0,1fr)]')}>
      <div className="min-h-0 min-w-0">{children}</div>
      {ask ? (
        <Suspense fallback={null}>
          <AskPanel id={id} run={run} onClose={() => show(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

function Shape({ shown, feed }: { shown: Shown; feed: FeedStore }) {
  if (shown.live && (isPlanning(shown.run) || shown.run.plan === null)) return <PlanningView shown={shown} />;
  if (shown.run.plan === null) return <Notice title="There was no plan yet at that moment" />;
  if (shown.run.status === 'agreeing' && shown.live) return <AgreeView shown={shown} />;
  return <RunView shown={shown} feed={feed} />;
}

/** Short ids, as listings print them, are addresses too: where only one run begins so, it is meant. */
function NoRun({ id }: { id: string }) {
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: ['like', id],
    queryFn: () => client.listRuns({ text: id, limit: 5 }),
    enabled: id.length >= 4,
  });
  const like = data?.runs.filter((row) => row.id.startsWith(id.toLowerCase())) ?? [];
  const only = like.length === 1 ? like[0]!.id : null;
  useEffect(() => {
    if (only !== null) void navigate({ to: '/runs/$id', params: { id: only }, search: {}, replace: true });
  }, [only, navigate]);
  return (
    <Notice
      title="There is no such run"
      action={<Button onClick={() => void navigate({ to: '/' })}>See all runs</Button>}
    >
      It may have been removed, or the address is cut off.
    </Notice>
  );
}
