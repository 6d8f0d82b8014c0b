import type { Proposal } from '@contract';
import { duration, percent } from '@told';

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
        confidence <span className="num">{percent(confidence.score)}</span>
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
