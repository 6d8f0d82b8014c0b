import type { Verdict } from '@contract';
import { markSpans } from '../model/spans.ts';
import { cx } from './cx.ts';

/** Characters that would hide or reorder what is decided by are spelled out. */
const visible = (text: string) =>
  text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );

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
            {visible(piece.text)}
          </mark>
        ) : (
          <span key={piece.start}>{visible(piece.text)}</span>
        ),
      )}
    </code>
  );
}
