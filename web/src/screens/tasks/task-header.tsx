import { dollars } from '@contract';
import { Link } from '@tanstack/react-router';
import { activePhase, mergedTo, priorityWords, type TaskView, taskKindWords, taskSentence } from '@tasks';
import { visible } from '@told';
import { ChevronLeft } from 'lucide-react';
import { useState } from 'react';
import type { TaskSearch } from '../../addresses.ts';
import { askTask } from '../../api/ask-task.ts';
import { waysShown } from '../../model/task-view.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { toneText } from '../../ui/tone.ts';
import { useNow } from '../../ui/use-now.ts';
import { MergeFailure } from './merge-dialog.tsx';

interface TaskHeaderProps {
  view: TaskView;
  onMerge(): void;
  go(change: TaskSearch): void;
}

export function TaskHeader({ view, onMerge, go }: TaskHeaderProps) {
  const { row, state } = view;
  const active = activePhase(state);
  const now = useNow(row.statusKind !== 'ended', active === undefined ? 30_000 : 1000);
  const { text, tone } = taskSentence(row, now);
  return (
    <header className="shrink-0 border-b px-4 py-2.5 max-md:px-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-1 items-center gap-2 max-md:basis-full">
          <Link
            to="/tasks"
            aria-label="All tasks"
            title="All tasks (b)"
            className="-ml-1.5 inline-flex size-7 shrink-0 items-center justify-center rounded-md text-dim hover:bg-hover hover:text-text max-md:size-9"
          >
            <ChevronLeft size={17} />
          </Link>
          <h1
            className="min-w-0 truncate font-semibold text-title tracking-[-0.01em] max-md:line-clamp-2 max-md:whitespace-normal"
            title={visible(state.text.title)}
          >
            {visible(state.text.title)}
          </h1>
        </div>
        <Choices view={view} onMerge={onMerge} go={go} />
      </div>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{visible(row.statusTitle)}</span>
        {text === '' ? null : (
          <span role="status" className={cx('flex min-w-0 items-baseline gap-2', toneText[tone])}>
            <span
              aria-hidden="true"
              className={cx('size-2 shrink-0 rounded-full bg-current', tone === 'mind' && 'motion-pulse')}
            />
            <span className="min-w-0 [overflow-wrap:anywhere]">{visible(text)}</span>
          </span>
        )}
        <span className="text-faint">
          · {taskKindWords[state.text.kind]} · {priorityWords[state.text.priority]}
        </span>
        {row.costUsd > 0 ? <span className="num text-faint">· {dollars(row.costUsd)}</span> : null}
      </p>
      {state.mergeFailure === null || state.merging !== null ? null : (
        <div className="mt-2">
          <MergeFailure failure={state.mergeFailure} />
        </div>
      )}
    </header>
  );
}

/** The ways open to a person, as buttons. While an agent is at it there is one: to stop it. */
function Choices({ view, onMerge, go }: TaskHeaderProps) {
  const { id, state, row } = view;
  const [busy, setBusy] = useState(false);
  const ask = async (request: Parameters<typeof askTask>[1]) => {
    setBusy(true);
    await askTask(id, request);
    setBusy(false);
  };
  if (row.statusKind === 'ended') return null;
  const waits = busy || row.unanswered.length > 0 || state.merging !== null;
  const canMerge = mergedTo(state) !== null;
  if (activePhase(state) !== undefined)
    return (
      <div className="flex flex-wrap gap-2">
        <Button
          disabled={waits || state.stoppedBy !== null}
          onClick={() => void ask({ type: 'stop-requested' })}
        >
          {state.stoppedBy === null ? 'Stop the agent' : 'Stopping…'}
        </Button>
        <Button look="ghost" disabled={waits} onClick={() => void ask({ type: 'close-requested' })}>
          Stop and close
        </Button>
      </div>
    );
  const ways = waysShown(view);
  const first = ways.find(({ against }) => against === null);
  return (
    <fieldset aria-label="Ways on" className="flex flex-wrap gap-2">
      {canMerge ? (
        <Button look="primary" disabled={waits} onClick={onMerge}>
          {state.merging === null ? 'Merge…' : 'Merging…'}
        </Button>
      ) : null}
      {ways.map((way) => {
        const { to, title, against } = way;
        const isEnd = state.pipeline?.statuses.find(({ name }) => name === to)?.kind === 'ended';
        return (
          <Button
            key={`${to} ${title}`}
            look={isEnd ? 'ghost' : way === first && !canMerge ? 'primary' : 'plain'}
            disabled={waits || against !== null}
            title={against === null ? undefined : `Not yet: ${against}`}
            onClick={() => {
              go({ tab: undefined, phase: undefined });
              void ask({ type: 'move-requested', to });
            }}
          >
            {visible(title)}
          </Button>
        );
      })}
    </fieldset>
  );
}
