import type { CommentOn, TaskComment } from '@tasks';
import { ago, visibleLines } from '@told';
import { type ReactNode, useState } from 'react';
import { askTask } from '../../api/ask-task.ts';
import { commentsAt } from '../../model/task-view.ts';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/use-now.ts';

interface Commenting {
  at(line: number): ReactNode;
  onLine(line: number): void;
}

/** Comments on the lines of a plan, or of a file of the branch: those that are there, and the one that is being written. */
export function useLineComments(
  id: string,
  on: CommentOn,
  file: string | null,
  comments: readonly TaskComment[],
): Commenting {
  const [line, setLine] = useState<number | null>(null);
  return {
    onLine: (next) => setLine(next === line ? null : next),
    at: (here) => {
      const said = commentsAt(comments, on, file, here);
      if (said.length === 0 && line !== here) return null;
      return (
        <div className="border-y bg-bg py-2 pr-4 pl-14 font-sans max-md:pl-4">
          <Comments comments={said} />
          {line === here ? (
            <CommentForm
              label={`Comment on line ${here}`}
              onClose={() => setLine(null)}
              send={(text) =>
                askTask(id, {
                  type: 'comment-requested',
                  on,
                  line: here,
                  text,
                  ...(file === null ? {} : { file }),
                })
              }
            />
          ) : null}
        </div>
      );
    },
  };
}

export function Comments({ comments }: { comments: readonly TaskComment[] }) {
  const now = useNow(true, 30_000);
  return comments.map(({ n, text, by, at, told }) => (
    <div key={n} className="mb-1.5 max-w-190 last:mb-0">
      <p className="text-faint text-small">
        <span className="text-dim">{by.person}</span> {ago(at, now)}
        {told ? ' · an agent has been told' : ''}
      </p>
      <p className="whitespace-pre-wrap text-[13px] leading-5 [overflow-wrap:anywhere]">
        {visibleLines(text)}
      </p>
    </div>
  ));
}

interface CommentFormProps {
  label: string;
  send(text: string): Promise<boolean>;
  onClose(): void;
}

function CommentForm({ label, send, onClose }: CommentFormProps) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const add = async () => {
    if (text.trim() === '' || busy) return;
    setBusy(true);
    const done = await send(text.trim());
    setBusy(false);
    if (done) onClose();
  };
  return (
    <form
      className="flex max-w-190 flex-wrap gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person asked to write here
        autoFocus
        rows={2}
        aria-label={label}
        placeholder="What should be different? Ctrl Enter adds it"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void add();
        }}
        className="w-full resize-y rounded-md border border-line-strong bg-code px-2.5 py-1.5 text-[13px] leading-5 placeholder:text-faint"
      />
      <Button look="primary" type="submit" disabled={busy || text.trim() === ''}>
        Add the comment
      </Button>
      <Button look="ghost" onClick={onClose}>
        Cancel
      </Button>
    </form>
  );
}
