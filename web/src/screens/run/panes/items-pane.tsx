import { useVirtualizer } from '@tanstack/react-virtual';
import { capital, count, duration, failureWords, relativeTo, visible } from '@told';
import { useMemo, useRef, useState } from 'react';
import { type ItemRow, loopTime } from '../../../model/items.ts';
import { clockTime } from '../../../model/time.ts';
import { cx } from '../../../ui/cx.ts';
import { Toggle } from '../../../ui/toggle.tsx';
import type { PaneProps } from './pane.ts';

const tones: Record<ItemRow['state'], string> = {
  done: 'text-done',
  failed: 'text-fail',
  running: 'text-text',
  interrupted: 'text-wait',
  pending: 'text-faint',
};
const shapes: Record<ItemRow['state'], string> = {
  done: '●',
  failed: '✕',
  running: '◉',
  interrupted: '◆',
  pending: '○',
};

/** The items of a loop, each with its state, its time and the way to its output. */
export function ItemsPane({ shown, stepId, go, items }: PaneProps & { items: readonly ItemRow[] }) {
  const [onlyFailed, setOnlyFailed] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const failed = useMemo(
    () => items.filter(({ state }) => state === 'failed' || state === 'interrupted'),
    [items],
  );
  const done = useMemo(() => items.filter(({ state }) => state === 'done').length, [items]);
  const rows = onlyFailed ? failed : items;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => 32,
    overscan: 12,
  });
  return (
    <>
      <div className="flex h-9 shrink-0 items-center gap-3 border-b px-4 max-md:px-3">
        <span className="text-dim">
          {done} of {count(items.length, 'item')} done
          {failed.length === 0 ? null : <span className="text-fail">, {failed.length} failed</span>}
        </span>
        <span className="num text-faint">{duration(loopTime(shown.chronicle.attempts(stepId)))}</span>
        <span className="ml-auto" />
        <Toggle label="Only failed" on={onlyFailed} onChange={setOnlyFailed} />
      </div>
      {rows.length === 0 ? <p className="p-4 text-faint">None failed.</p> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={box} tabIndex={0} className="min-h-0 flex-1 overflow-auto">
        <ol aria-label="Items" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]!;
            return (
              <li
                key={row.item}
                className="absolute top-0 left-0 w-full border-b"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Item
                  row={row}
                  workspace={shown.run.workspace}
                  onOutput={(attempt) => go({ tab: 'output', step: stepId, attempt, line: undefined })}
                />
              </li>
            );
          })}
        </ol>
      </div>
    </>
  );
}

interface ItemProps {
  row: ItemRow;
  workspace: string;
  onOutput(attempt: number): void;
}

function Item({ row, workspace, onOutput }: ItemProps) {
  const { item, name, state, attempt, attempts } = row;
  const words = state === 'failed' ? failureWords(attempt?.result ?? null) : state;
  return (
    <div className="grid h-8 grid-cols-[48px_16px_minmax(0,1fr)_minmax(0,160px)_72px_64px_56px] items-center gap-x-3 px-4 max-md:grid-cols-[36px_16px_minmax(0,1fr)_56px_56px] max-md:gap-x-2 max-md:px-3">
      <span className="num text-right text-faint">{item + 1}</span>
      <span aria-hidden="true" className={cx('text-center', tones[state])}>
        {shapes[state]}
      </span>
      <span className="mono truncate" title={name ?? undefined}>
        {name === null ? (
          <span className="text-faint">turn {item + 1}</span>
        ) : (
          visible(relativeTo(workspace, name))
        )}
        <span className="sr-only">, {state}</span>
      </span>
      <span className={cx('truncate max-md:hidden', tones[state])}>
        {capital(words)}
        {attempts > 1 ? <span className="text-faint"> · attempt {attempts}</span> : null}
      </span>
      <span className="num text-right text-faint max-md:hidden">
        {attempt === null ? '' : clockTime(attempt.startedAt)}
      </span>
      <span className="num text-right text-faint">
        {attempt?.result == null ? '' : duration(attempt.result.durationMs)}
      </span>
      {attempt === null ? (
        <span />
      ) : (
        <button
          type="button"
          className="rounded-sm px-1 text-dim underline-offset-4 hover:text-text hover:underline"
          onClick={() => onOutput(attempt.index)}
        >
          Output
        </button>
      )}
    </div>
  );
}
