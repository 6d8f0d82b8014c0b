import { dollars } from '@contract';
import { Link } from '@tanstack/react-router';
import { type ProjectView, priorityWords, type TaskRow, taskKindWords, taskSentence } from '@tasks';
import { ago, visible } from '@told';
import { Ellipsis } from 'lucide-react';
import { type DragEvent, memo, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/menu.tsx';
import { toneText } from '../../ui/tone.ts';
import { useNow } from '../../ui/use-now.ts';
import { useWayItems } from './way-items.tsx';

export interface CardGiven {
  tails: ReadonlyMap<string, readonly string[]>;
  projects: readonly ProjectView[];
}

interface TaskCardProps {
  row: TaskRow;
  given: CardGiven;
  onDrag(id: string | null): void;
  onMerge(id: string): void;
}

export const TaskCard = memo(function TaskCard({ row, given, onDrag, onMerge }: TaskCardProps) {
  const { active, statusKind } = row;
  const { tails, projects } = given;
  const now = useNow(statusKind !== 'ended', active === null ? 30_000 : 1000);
  // Its ways are asked for when somebody is near.
  const [near, setNear] = useState(false);
  const items = useWayItems(row.id, near, () => onMerge(row.id));
  const { text, tone } = taskSentence(row, now);
  const tail = active === null ? undefined : tails.get(active.run);
  const project = projects.length > 1 ? projects.find(({ row: { id } }) => id === row.project) : undefined;
  const onDragStart = (event: DragEvent) => {
    event.dataTransfer.setData('text/plain', row.title);
    event.dataTransfer.effectAllowed = 'move';
    setNear(true);
    onDrag(row.id);
  };
  return (
    <li
      data-card={row.id}
      draggable
      onDragStart={onDragStart}
      onDragEnd={() => onDrag(null)}
      onPointerEnter={() => setNear(true)}
      onFocus={() => setNear(true)}
      className={cx(
        'motion-row group relative rounded-md border bg-raised hover:border-line-strong has-[a:focus-visible]:border-text',
        tone === 'wait' && 'border-wait/45',
        tone === 'fail' && 'border-fail/45',
      )}
    >
      <Link
        to="/tasks/$task"
        params={{ task: row.id }}
        draggable={false}
        className="block rounded-md px-3 pt-2 pb-2.5"
      >
        <span className="flex items-center gap-2 pr-6 text-faint text-small">
          <span>{taskKindWords[row.taskKind]}</span>
          {row.priority === 'normal' ? null : (
            <span className={row.priority === 'low' ? '' : 'text-text'}>
              <span aria-hidden="true">{{ urgent: '▲▲', high: '▲', low: '▽' }[row.priority]}</span>{' '}
              {priorityWords[row.priority]}
            </span>
          )}
          {project === undefined ? null : (
            <span className="mono min-w-0 truncate text-[11.5px]">{project.row.name}</span>
          )}
        </span>
        <span className="line-clamp-3 [overflow-wrap:anywhere]">{visible(row.title)}</span>
        {text === '' ? null : (
          <span className={cx('mt-1 flex items-baseline gap-1.5 text-small', toneText[tone])}>
            <span
              aria-hidden="true"
              className={cx('size-1.5 shrink-0 rounded-full bg-current', tone === 'mind' && 'motion-pulse')}
            />
            <span className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">{visible(text)}</span>
          </span>
        )}
        {tail === undefined || tail.length === 0 ? null : (
          <span
            data-testid="tail"
            className="mono mt-1.5 block rounded-sm bg-surface px-1.5 py-1 text-[11px] text-dim leading-4"
          >
            {tail.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: three lines that have nothing else to go by
              <span key={at} className="block truncate">
                {visible(line)}
              </span>
            ))}
          </span>
        )}
        <span className="mt-1 flex gap-2 text-faint text-small">
          <span className="num text-[11px]">{row.id.slice(0, 6)}</span>
          {row.costUsd > 0 ? <span className="num text-[11px]">{dollars(row.costUsd)}</span> : null}
          <span className="ml-auto">{ago(row.updatedAt, now)}</span>
        </span>
      </Link>
      <span className="absolute top-1 right-1">
        <Menu
          trigger={
            <IconButton label={`Ways on for ${row.title}`} data-ways className="size-6! text-faint">
              <Ellipsis size={14} />
            </IconButton>
          }
          items={items}
        />
      </span>
    </li>
  );
});
