import { visible } from '@told';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { DiffFile, DiffLine } from '../model/diff.ts';
import { cx } from './cx.ts';
import { LineList } from './line-list.tsx';

/** So many lines of a file are shown at first. */
const most = 400;

const tones: Record<DiffLine['kind'], string> = {
  add: 'bg-done-bg text-done',
  del: 'bg-fail-bg text-fail',
  hunk: 'text-faint',
  same: 'text-dim',
};

interface DiffFileProps {
  path: string;
  /** What happened to it, in a word; a sign for it and its colour. */
  kind: string;
  sign: string;
  tone: string;
  diff: DiffFile | undefined;
  open: boolean;
  /** What can be said about its lines, and what was. */
  comments?: {
    at(line: number): ReactNode;
    /** Somebody wants to say something about this line of the file as it is now. */
    onLine(line: number): void;
  };
}

/** What changed in one file, which folds; only so much of it is drawn at once. */
export function DiffFileView({ path, kind, sign, tone, diff, open: first, comments }: DiffFileProps) {
  const [open, setOpen] = useState(first && (diff?.lines.length ?? 0) <= most);
  const [shown, setShown] = useState(most);
  const lines = diff?.lines ?? [];
  return (
    <li className="border-b">
      <button
        type="button"
        aria-expanded={open}
        disabled={lines.length === 0}
        onClick={() => setOpen(!open)}
        className="mono sticky top-0 z-10 flex min-h-8 w-full items-center gap-2 bg-bg px-4 text-left enabled:hover:bg-surface max-md:px-3"
      >
        <ChevronRight
          size={13}
          className={cx('shrink-0 text-faint', open && 'rotate-90', lines.length === 0 && 'invisible')}
        />
        <span aria-hidden="true" className={tone}>
          {sign}
        </span>
        <span className="min-w-0 [overflow-wrap:anywhere]">{visible(path)}</span>
        <span className="text-faint">{kind}</span>
        {diff === undefined || lines.length === 0 ? null : (
          <span className="ml-auto whitespace-nowrap">
            <span className="text-done">+{diff.added}</span>{' '}
            <span className="text-fail">−{diff.removed}</span>
          </span>
        )}
      </button>
      {open && lines.length > 0 ? (
        <div className="border-t">
          <LineList
            label={`Changes in ${path}`}
            lines={lines.slice(0, shown).map(({ kind: how, text, line }) => ({
              text: visible(text) || ' ',
              tone: tones[how],
              ...(line === undefined ? {} : { line }),
            }))}
            {...(comments === undefined ? {} : { comments })}
          />
          {lines.length > shown ? (
            <button
              type="button"
              className="mono w-full bg-code px-4 py-1 text-left text-faint hover:text-text"
              onClick={() => setShown(shown + 2000)}
            >
              … {lines.length - shown} more lines
            </button>
          ) : null}
        </div>
      ) : null}
    </li>
  );
}
