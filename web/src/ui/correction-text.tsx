import type { Correction } from '@contract';
import { correctionLines } from '@told';
import { Fragment } from 'react';

/** All that a correction changes, line by line; nothing where it changes nothing. */
export function CorrectionText({ correction }: { correction: Correction }) {
  const lines = correctionLines(correction);
  if (lines.length === 0) return null;
  return (
    <dl className="mono mt-1.5 grid max-h-36 grid-cols-[auto_minmax(0,1fr)] gap-x-3 overflow-auto rounded-md border bg-code px-2.5 py-1.5">
      {lines.map(({ label, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a correction never changes
        <Fragment key={at}>
          <dt className="text-faint">{label}</dt>
          <dd className="whitespace-pre-wrap text-text [overflow-wrap:anywhere]">{text}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
