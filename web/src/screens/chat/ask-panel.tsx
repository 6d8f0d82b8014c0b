import type { RunState } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Maximize2, X } from 'lucide-react';
import { client } from '../../api/client.ts';
import { runQuestions } from '../../model/run-questions.ts';
import { IconButton } from '../../ui/button.tsx';
import { Skeleton, Trouble } from '../../ui/notice.tsx';
import { ChatView } from './chat-view.tsx';

interface AskPanelProps {
  id: string;
  run: RunState;
  onClose(): void;
}

/** A conversation beside a run that knows the run. There is one for each run: asked for again, it is the same. */
export function AskPanel({ id, run, onClose }: AskPanelProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['about', id],
    queryFn: () => client.createChat({ about: id, workspace: run.workspace, key: `about-run:${id}` }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: run.workspace !== '',
  });
  const close = (
    <IconButton label="Close the conversation beside" onClick={onClose}>
      <X size={15} />
    </IconButton>
  );
  return (
    <aside
      aria-label="About this run"
      className="min-h-0 w-105 min-w-0 border-l bg-bg max-lg:fixed max-lg:inset-y-11 max-lg:right-0 max-lg:bottom-6.5 max-lg:z-30 max-lg:w-[min(100%,440px)] max-lg:shadow-overlay max-md:border-l-0"
    >
      {data === undefined ? (
        <div>
          <div className="flex justify-end p-2">{close}</div>
          {error === null ? <Skeleton rows={4} /> : <Trouble error={error} retry={() => void refetch()} />}
        </div>
      ) : (
        <ChatView
          chat={data.id}
          narrow
          named="About this run"
          offered={runQuestions(run)}
          onLeave={onClose}
          after={
            <>
              <Link
                to="/chats/$chat"
                params={{ chat: data.id }}
                aria-label="Open the conversation on its own"
                title="Open the conversation on its own"
                className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-dim hover:bg-hover hover:text-text max-md:size-9"
              >
                <Maximize2 size={14} />
              </Link>
              {close}
            </>
          }
        />
      )}
    </aside>
  );
}
