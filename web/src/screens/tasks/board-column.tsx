import { visible } from '@told';
import { ChevronsLeftRight, ChevronsRightLeft } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import type { Column, Landing } from '../../model/board.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { type CardGiven, TaskCard } from './task-card.tsx';

interface BoardColumnProps {
  column: Column;
  open: boolean;
  onFold(open: boolean): void;
  /** What dropping the card that is dragged does here; null where none is, or where it is not known yet. */
  landing: Landing | null;
  dragged: string | null;
  onDrag(id: string | null): void;
  onDrop(id: string): void;
  onMerge(id: string): void;
  card: CardGiven;
}

/** So many cards are drawn at first. */
const MOST = 50;

export function BoardColumn(props: BoardColumnProps) {
  const { column, open, onFold, landing, dragged, onDrag, onDrop, onMerge, card } = props;
  const { name, title, rows } = column;
  const [shown, setShown] = useState(MOST);
  const [over, setOver] = useState(false);
  const takes = landing !== null && landing.how !== 'not';
  const isOwn = landing?.how === 'not' && rows.some(({ id }) => id === dragged);
  const told =
    landing === null ? null : landing.how !== 'not' ? landing.title : landing.guarded ? landing.why : null;
  const onDragOver = (event: DragEvent) => {
    setOver(true);
    if (takes || (landing === null && dragged !== null)) event.preventDefault();
  };
  return (
    <section
      aria-label={visible(title)}
      data-column={name}
      data-landing={landing?.how}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (dragged !== null) onDrop(dragged);
      }}
      className={cx(
        'flex min-h-0 shrink-0 flex-col max-md:flex-none border-r last:border-r-0 max-md:w-auto max-md:border-r-0 max-md:border-b',
        open || (dragged !== null && takes) ? 'min-w-52 max-w-80 flex-1 max-md:max-w-none' : 'w-9',
        rows.length === 0 && 'max-md:hidden',
        dragged !== null && landing?.how === 'not' && !isOwn && 'opacity-40',
        takes && (over ? 'bg-sel' : 'bg-surface'),
      )}
    >
      {open || (dragged !== null && takes) ? (
        <>
          <h2 className="flex h-9 shrink-0 items-center gap-2 px-3 font-medium">
            <StatusMark kind={column.kind} />
            <span className="min-w-0 truncate">{visible(title)}</span>
            <span className="num text-faint">{rows.length}</span>
            <IconButton
              label={`Fold ${title}`}
              className="-mr-1.5 ml-auto size-6! text-faint max-md:hidden"
              onClick={() => onFold(false)}
            >
              <ChevronsRightLeft size={13} />
            </IconButton>
          </h2>
          {told === null ? null : (
            <p className={cx('px-3 pb-1 text-small', takes ? 'text-text' : 'text-dim')}>{visible(told)}</p>
          )}
          <ul className="flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto px-2 pb-3 max-md:overflow-visible">
            {rows.slice(0, shown).map((row) => (
              <TaskCard key={row.id} row={row} given={card} onDrag={onDrag} onMerge={onMerge} />
            ))}
            {rows.length > shown ? (
              <li className="text-center">
                <Button look="ghost" onClick={() => setShown(shown + MOST)}>
                  Show {Math.min(MOST, rows.length - shown)} more
                </Button>
              </li>
            ) : null}
          </ul>
        </>
      ) : (
        <button
          type="button"
          aria-expanded="false"
          title={`${title}: ${rows.length}`}
          onClick={() => onFold(true)}
          className="group flex w-9 flex-1 flex-col items-center gap-2 pt-2.5 text-dim hover:bg-hover hover:text-text max-md:h-9 max-md:w-full max-md:flex-row max-md:px-3 max-md:pt-0"
        >
          <span className="sr-only">Unfold</span>
          {rows.length > 0 ? <span className="num">{rows.length}</span> : <StatusMark kind={column.kind} />}
          <span className="[writing-mode:vertical-rl] max-md:[writing-mode:horizontal-tb]">
            {visible(title)}
          </span>
          <ChevronsLeftRight
            size={13}
            className="opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
          />
        </button>
      )}
    </section>
  );
}

const marks: Record<Column['kind'], [shape: string, tone: string]> = {
  open: ['○', 'text-faint'],
  working: ['◉', 'text-mind'],
  waiting: ['◆', 'text-wait'],
  ended: ['●', 'text-done'],
};

/** A shape for each kind of status, so that none is told by colour alone. */
function StatusMark({ kind }: { kind: Column['kind'] }) {
  const [shape, tone] = marks[kind];
  return (
    <span aria-hidden="true" className={cx('text-small', tone)}>
      {shape}
    </span>
  );
}
