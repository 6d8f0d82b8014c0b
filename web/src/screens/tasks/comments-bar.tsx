import type { AgentMode, CommentOn, TaskView } from '@tasks';
import { count, visible } from '@told';
import { useState } from 'react';
import { askTask } from '../../api/ask-task.ts';
import { untold, wayInto } from '../../model/task-view.ts';
import { Button } from '../../ui/button.tsx';

/** Comments that nobody has acted on, and the way that puts an agent to it. Nothing where there is neither. */
export function CommentsBar({ view, on, mode }: { view: TaskView; on: CommentOn; mode: AgentMode }) {
  const [busy, setBusy] = useState(false);
  const fresh = untold(view.state.comments, on);
  const way = wayInto(view, mode);
  if (fresh.length === 0 || view.row.statusKind === 'ended') return null;
  const send = async () => {
    if (way === undefined) return;
    setBusy(true);
    await askTask(view.id, { type: 'move-requested', to: way.to });
    setBusy(false);
  };
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-3 border-b bg-wait-bg px-4 py-2 max-md:px-3">
      <span className="text-wait">{count(fresh.length, 'comment')} to act on</span>
      {way === undefined ? (
        <span className="text-dim">An agent is told when the task is next at a place that leads there.</span>
      ) : (
        <Button
          look="primary"
          disabled={busy || way.against !== null}
          title={way.against === null ? undefined : `Not yet: ${way.against}`}
          onClick={() => void send()}
        >
          {visible(way.title)}
        </Button>
      )}
    </div>
  );
}
