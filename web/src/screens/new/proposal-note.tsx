import type { Proposal } from '@contract';
import { duration, percent } from '@told';
import type { ReactNode } from 'react';

interface ProposalNoteProps {
  proposal: Proposal;
  /** The goal as the planner understood it; null where nobody restated it. */
  restatement: string | null;
}

/** What the planner says about its own plan: what it understood, why these steps, how sure it is, and what makes it less so. */
export function ProposalNote({ proposal, restatement }: ProposalNoteProps) {
  const { summary, reflection, confidence, estimateMs, warnings } = proposal;
  return (
    <section
      aria-label="About this plan"
      className="mt-3 rounded-r-md border-mind border-l-2 bg-mind-bg px-3 py-2"
    >
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1.5 max-md:grid-cols-[minmax(0,1fr)] max-md:gap-y-0.5">
        <Line label="Understood as">
          {restatement === null ? null : <p className="whitespace-pre-line text-dim">{restatement}</p>}
        </Line>
        <Line label="Why these steps">{summary.trim() === '' ? null : summary}</Line>
        <Line label="What could go wrong">{reflection.trim() === '' ? null : reflection}</Line>
        <Line label="Confidence">
          <span className="num">{percent(confidence.score)}</span>
          <ul className="text-dim">
            {confidence.doubts.map(({ why, cost }) => (
              <li key={why}>
                <span className="num">−{percent(cost)}</span> {why}
              </li>
            ))}
          </ul>
        </Line>
        <Line label="Duration">{estimateMs === null ? 'not known' : `about ${duration(estimateMs)}`}</Line>
        <Line label="Warnings">
          {warnings.length === 0 ? null : (
            <ul className="text-dim">
              {warnings.map(({ code, message }) => (
                <li key={code + message}>{message}</li>
              ))}
            </ul>
          )}
        </Line>
      </dl>
    </section>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  if (children === null) return null;
  return (
    <>
      <dt className="font-medium text-mind">{label}</dt>
      <dd className="[overflow-wrap:anywhere] max-md:mb-1.5">{children}</dd>
    </>
  );
}
