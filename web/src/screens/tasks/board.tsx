import { useNavigate } from '@tanstack/react-router';
import type { ProjectView, TaskRow } from '@tasks';
import { useMemo, useState } from 'react';
import { attempt, say } from '../../api/ask.ts';
import { askTask } from '../../api/ask-task.ts';
import { queries } from '../../api/client.ts';
import { taskQuery, useTask } from '../../api/task-queries.ts';
import { useLiveRuns, useTails } from '../../api/use-tails.ts';
import {
  type Column,
  cardFrom,
  columnsOf,
  type Direction,
  isFolded,
  type Landing,
  landingOn,
} from '../../model/board.ts';
import { useKeys } from '../../shell/keys.ts';
import { BoardColumn } from './board-column.tsx';
import { MergeDialog } from './merge-dialog.tsx';

interface BoardProps {
  all: readonly TaskRow[];
  shown: readonly TaskRow[];
  projects: readonly ProjectView[];
}

/** Columns of cards. A card is dragged to where a way leads; the keys do the same by the menu of its ways. */
export function Board({ all, shown, projects }: BoardProps) {
  const navigate = useNavigate();
  const columns = useMemo(() => columnsOf(all, shown), [all, shown]);
  const [unfolded, setUnfolded] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [dragged, setDragged] = useState<string | null>(null);
  const [merging, setMerging] = useState<string | null>(null);
  const runs = useLiveRuns();
  const tails = useTails(runs);
  const card = useMemo(() => ({ tails, projects }), [tails, projects]);
  const { data: looked } = useTask(dragged ?? '', dragged !== null);
  const landing = (name: string, title: string): Landing | null =>
    dragged === null || looked === undefined || looked.id !== dragged
      ? null
      : landingOn(looked, { name, title });
  // Whoever is quicker than the answer is told after it.
  const drop = async (id: string, column: Pick<Column, 'name' | 'title'>) => {
    setDragged(null);
    const known = await attempt(() => queries.fetchQuery({ ...taskQuery(id), staleTime: 2000 }));
    if (known === null) return;
    const land = landingOn(known, column);
    if (land.how === 'not') say(`${land.why}.`, true);
    if (land.how === 'merge') setMerging(id);
    if (land.how === 'move') void askTask(id, { type: 'move-requested', to: land.to });
  };
  const seen = columns.map((column) =>
    (unfolded.get(column.name) ?? !isFolded(column)) ? column : { ...column, rows: [] },
  );
  const move = (to: Direction) => {
    const id = cardFrom(seen, focusedCard(), to);
    if (id !== null) cardLink(id)?.focus();
  };
  useKeys({
    j: () => move('down'),
    k: () => move('up'),
    h: () => move('left'),
    l: () => move('right'),
    ArrowDown: () => move('down'),
    ArrowUp: () => move('up'),
    ArrowLeft: () => move('left'),
    ArrowRight: () => move('right'),
    m: () => openWays(focusedCard()),
    w: () => {
      const first = shown.find(({ statusKind }) => statusKind === 'waiting');
      if (first !== undefined) void navigate({ to: '/tasks/$task', params: { task: first.id } });
    },
  });
  return (
    <>
      {/* Its own frame: what only screen readers see in a column out of sight would else widen the page. */}
      <div className="relative flex min-h-0 flex-1 overflow-auto max-md:flex-col" data-testid="board">
        {columns.map((column) => (
          <BoardColumn
            key={column.name}
            column={column}
            open={unfolded.get(column.name) ?? !isFolded(column)}
            onFold={(open) => setUnfolded(new Map([...unfolded, [column.name, open]]))}
            landing={landing(column.name, column.title)}
            dragged={dragged}
            onDrag={setDragged}
            onDrop={(id) => void drop(id, column)}
            onMerge={setMerging}
            card={card}
          />
        ))}
      </div>
      {merging === null ? null : <MergeDialog id={merging} onClose={() => setMerging(null)} />}
    </>
  );
}

const cardLink = (id: string) => document.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"] a`);
const focusedCard = (): string | null =>
  document.activeElement?.closest<HTMLElement>('[data-card]')?.dataset['card'] ?? null;

/** The menu opens by whatever its button takes: before it is fetched a click, then what Radix listens to. */
function openWays(id: string | null): void {
  if (id === null) return;
  const button = document.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"] button[data-ways]`);
  button?.focus();
  button?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }));
  button?.click();
}
