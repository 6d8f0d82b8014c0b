import { capital } from '@told';
import type { ReactNode } from 'react';

/** A whole place with nothing to show: why, and the one thing to do about it. */
export function Notice({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex h-full min-h-40 flex-col items-center justify-center gap-3 p-8 text-center">
      <h1 className="font-semibold text-[14px]">{title}</h1>
      {children === undefined ? null : <p className="max-w-md text-dim">{children}</p>}
      {action}
    </div>
  );
}

export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="motion-breathe flex flex-col">
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <div key={at} className="flex h-8 items-center gap-3 px-4">
          <span className="size-2.5 rounded-full bg-line" />
          <span className="h-2.5 rounded-sm bg-line" style={{ width: `${30 + ((at * 37) % 45)}%` }} />
        </div>
      ))}
    </div>
  );
}

export function Trouble({ error, retry }: { error: unknown; retry?: () => void }) {
  const text = error instanceof Error ? error.message : String(error);
  return (
    <Notice
      title="That did not work"
      action={
        retry === undefined ? undefined : (
          <button
            type="button"
            onClick={retry}
            className="h-7 rounded-md border border-line-strong px-2.5 hover:bg-hover"
          >
            Try again
          </button>
        )
      }
    >
      {capital(text)}
    </Notice>
  );
}
