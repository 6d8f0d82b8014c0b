import type { Proposal } from '@contract';
import { duration } from '../../model/time.ts';

/** What the planner says about its own plan: what it does, how sure it is, and what makes it less so. */
export function ProposalNote({ proposal }: { proposal: Proposal }) {
  const { summary, reflection, confidence, estimateMs, warnings } = proposal;
  return (
    <section
      aria-label="About this plan"
      className="mt-3 rounded-r-md border-mind border-l-2 bg-mind-bg px-3 py-2"
    >
      <p>{summary}</p>
      {reflection === '' ? null : <p className="text-dim">{reflection}</p>}
      <p className="text-faint">
        confidence <span className="num">{confidence.score.toFixed(2)}</span>
        {estimateMs === null ? '' : ` · about ${duration(estimateMs)}`}
      </p>
      <ul className="text-dim">
        {confidence.doubts.map(({ why }) => (
          <li key={why}>{why}</li>
        ))}
        {warnings.map(({ code, message }) => (
          <li key={code + message}>{message}</li>
        ))}
      </ul>
    </section>
  );
}
