import type { AdviceView, Correction } from '@contract';
import { capital, correctionWords, sourceWords } from '@told';
import { useState } from 'react';
import { ask } from '../../../api/ask.ts';
import { useAdvice } from '../../../api/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { CorrectionText } from '../../../ui/correction-text.tsx';
import { Prose } from '../../../ui/prose.tsx';
import type { Shown } from '../shown.ts';

/** What the brain makes of the failure, and what it would do: nothing is done until the person says so. */
export function Advice({ shown, stepId, wanted }: { shown: Shown; stepId: string; wanted: boolean }) {
  const { data, isPending } = useAdvice(shown.id, shown.run, stepId, wanted);
  if (!wanted) return null;
  if (isPending) return <p className="motion-breathe mt-2 text-faint">Looking at what went wrong…</p>;
  if (data === undefined || data.stepId !== stepId) return null;
  if (data.correction === null)
    return <p className="mt-2 text-faint">No rule and no memory is sure what would mend it.</p>;
  return <Proposal id={shown.id} advice={data} correction={data.correction} />;
}

interface ProposalProps {
  id: string;
  advice: AdviceView;
  correction: Correction;
}

function Proposal({ id, advice, correction }: ProposalProps) {
  const [busy, setBusy] = useState(false);
  const apply = async () => {
    setBusy(true);
    for (const request of advice.requests ?? []) if (!(await ask(id, request))) break;
    setBusy(false);
  };
  return (
    <section
      aria-label="What would mend it"
      className="mt-2.5 rounded-r-md border-mind border-l-2 bg-mind-bg px-3 py-2"
    >
      <h3 className="flex flex-wrap items-baseline gap-x-2 font-semibold text-mind">
        {capital(sourceWords(correction))}
        <span className="font-normal text-faint">{correctionWords(correction)} · only if you say so</span>
      </h3>
      <p className="whitespace-pre-wrap text-dim">
        <Prose text={correction.reasoning} />
      </p>
      <CorrectionText correction={correction} />
      {advice.requests === null ? (
        <p className="mt-1.5 text-faint">
          It cannot be sent from here: a part of it is a secret, or does not fit the plan. Edit the step
          instead.
        </p>
      ) : (
        <Button className="mt-2" disabled={busy} onClick={() => void apply()}>
          {capital(correctionWords(correction))}
        </Button>
      )}
    </section>
  );
}
