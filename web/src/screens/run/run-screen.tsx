import { ApiError, isPlanning } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { client } from '../../api/client.ts';
import { restartFeed, useFeed, useRunFeed } from '../../api/use-run.ts';
import { useTitle } from '../../shell/announcer.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice, Skeleton, Trouble } from '../../ui/notice.tsx';
import { AgreeView } from '../new/agree-view.tsx';
import { PlanningView } from '../new/planning-view.tsx';
import { RunView } from './run-view.tsx';
import { useShown } from './shown.ts';

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
