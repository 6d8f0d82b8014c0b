import type { Verdict } from '@contract';
import { visibleLines } from '@told';
import { markSpans } from '../model/spans.ts';
import { cx } from './cx.ts';

/** A command with what is dangerous in it marked. Never cut: it wraps. */
export function CommandText({
  text,
  verdict,
  className,
}: {
  text: string;
  verdict?: Verdict | null;
  className?: string;
}) {
  const pieces = markSpans(text, verdict ?? { level: 'safe', reasons: [] });
  return (
    <code className={cx('mono whitespace-pre-wrap break-words [overflow-wrap:anywhere]', className)}>
      {pieces.map((piece) =>
        piece.marked ? (
          <mark key={piece.start} className="rounded-[2px] border-fail border-b bg-fail/25 text-inherit">
            {visibleLines(piece.text)}
          </mark>
        ) : (
          <span key={piece.start}>{visibleLines(piece.text)}</span>
        ),
      )}
    </code>
  );
}
