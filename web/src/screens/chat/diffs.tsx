import { count, visible, visibleLines } from '@told';
import type { CallDiff } from '../../model/call-view.ts';
import { cx } from '../../ui/cx.ts';

const FEW = 8;

/** What a call changes, file by file; `few`: the beginning of it. */
export function Diffs({ diffs, few = false }: { diffs: readonly CallDiff[]; few?: boolean }) {
  const shown = few ? diffs.slice(0, 2) : diffs;
  return (
    <div className="border-t">
      {shown.map(({ path, lines }, at) => {
        const added = lines.filter(({ kind }) => kind === 'add').length;
        const seen = few ? lines.slice(0, FEW) : lines;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a file may be changed twice, and the order never changes
          <div key={at} className="border-b last:border-0">
            <p className="mono flex gap-2 px-2.5 pt-1 text-dim">
              <span className="min-w-0 truncate">{visible(path)}</span>
              <span className="num shrink-0 text-done">+{added}</span>
              {lines.length === added ? null : (
                <span className="num shrink-0 text-fail">−{lines.length - added}</span>
              )}
            </p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <pre tabIndex={0} className="mono max-h-80 overflow-auto py-1">
              {seen.map((line, number) => (
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
                  key={number}
                  className={cx('block min-w-max px-2.5', line.kind === 'add' ? 'bg-done-bg' : 'bg-fail-bg')}
                >
                  {line.kind === 'add' ? '+ ' : '- '}
                  {visibleLines(line.text)}
                </span>
              ))}
            </pre>
            {seen.length < lines.length ? (
              <p className="px-2.5 pb-1 text-faint">and {count(lines.length - seen.length, 'more line')}</p>
            ) : null}
          </div>
        );
      })}
      {shown.length < diffs.length ? (
        <p className="px-2.5 py-1 text-faint">and {count(diffs.length - shown.length, 'more change')}</p>
      ) : null}
    </div>
  );
}
