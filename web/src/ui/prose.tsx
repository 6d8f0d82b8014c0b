import { visibleLines } from '@told';
import { proseParts } from '../model/prose.ts';

/** A sentence of ours or of a brain: what it names as code is set as code. */
export const Prose = ({ text }: { text: string }) =>
  proseParts(text).map(({ text: part, code }, at) =>
    code ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
      <code key={at} className="mono [overflow-wrap:anywhere]">
        {visibleLines(part)}
      </code>
    ) : (
      visibleLines(part)
    ),
  );
