import type { Proposal, ProposedPlan } from '@contract';
import { percent, proposedFacts } from '@told';
import type { ReactNode } from 'react';

interface ProposalNoteProps {
  proposal: Proposal;
  /** The goal as the planner understood it; null where nobody restated it. */
  restatement: string | null;
  /** Null until its steps were judged. */
  proposed: ProposedPlan | null;
}

/** What the planner says about its own plan: what it understood, why these steps, how sure it is, and what makes it less so. */
export function ProposalNote({ proposal, restatement, proposed }: ProposalNoteProps) {
  const { summary, reflection, confidence, warnings } = proposal;
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
        {(proposed === null ? [] : proposedFacts(proposed)).map(([label, text]) => (
          <Line key={label} label={label}>
            {text}
          </Line>
        ))}
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
