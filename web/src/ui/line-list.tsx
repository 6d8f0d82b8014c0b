import { Plus } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { cx } from './cx.ts';

interface Line {
  text: string;
  tone?: string;
  /** What it is called where somebody speaks of it; left out where nobody can. */
  line?: number;
}

interface LineListProps {
  label: string;
  lines: readonly Line[];
  /** Long lines go on below instead of to the right. */
  wrap?: boolean;
  comments?: { at(line: number): ReactNode; onLine(line: number): void };
}

/** Lines of a text. Where they can be spoken of, their numbers are buttons: one tab stop, and arrows between them. */
export function LineList({ label, lines, wrap = false, comments }: LineListProps) {
  const first = lines.find(({ line }) => line !== undefined)?.line;
  return (
    // biome-ignore lint/a11y/useSemanticElements: these are lines of a text and no fields of a form
    <div
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onKeyDown={comments === undefined ? undefined : moveAlong}
      className="mono overflow-x-auto bg-code py-1.5"
    >
      <div className={wrap ? '' : 'w-max min-w-full'}>
        {lines.map(({ text, tone, line }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
          <div key={at}>
            <div className={cx('group/line flex', tone)}>
              {comments === undefined || line === undefined ? (
                <span
                  aria-hidden="true"
                  className={cx('shrink-0', comments === undefined ? 'w-4' : 'w-14')}
                />
              ) : (
                <button
                  type="button"
                  data-line={line}
                  tabIndex={line === first ? 0 : -1}
                  aria-label={`Comment on line ${line}`}
                  title={`Comment on line ${line}`}
                  onClick={() => comments.onLine(line)}
                  className="sticky left-0 flex w-14 shrink-0 select-none items-center justify-end gap-1 pr-3 text-faint hover:text-text"
                >
                  <Plus
                    size={12}
                    aria-hidden="true"
                    className="opacity-0 group-hover/line:opacity-100 group-focus-within/line:opacity-100"
                  />
                  {line}
                </button>
              )}
              <span
                className={cx(
                  'min-w-0 flex-1 pr-4',
                  wrap ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'whitespace-pre',
                )}
              >
                {text}
              </span>
            </div>
            {line === undefined ? null : comments?.at(line)}
          </div>
        ))}
      </div>
    </div>
  );
}

function moveAlong(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-line]')];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  if (by === 0 || at < 0) return;
  event.preventDefault();
  buttons[at + by]?.focus();
}
