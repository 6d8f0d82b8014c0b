import type { EventOf, ShownStep } from '@contract';
import { isAnswered } from '@told';
import { useEffect, useMemo, useState } from 'react';
import { ask } from '../../api/ask.ts';
import { usePreview } from '../../api/queries.ts';
import { agreementOf } from '../../model/agreement.ts';
import type { Shown } from '../run/shown.ts';

/** A plan that waits for agreement: how each of its steps is judged, what agreeing comes to, and deciding. */
export function useAgreeing({ run, id }: Pick<Shown, 'run' | 'id'>) {
  const revision = run.plan?.revision ?? 0;
  const preview = usePreview(id, run);
  const [sending, setSending] = useState(false);
  const answered = isAnswered(run);
  // Until what was sent is heard of, or the plan is another one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these say that it was heard of
  useEffect(() => setSending(false), [answered, revision]);
  const judged = preview.data?.revision === revision ? preview.data : undefined;
  const verdicts = useMemo(() => new Map(judged?.steps.map((each) => [each.subject.stepId, each])), [judged]);
  const totals = useMemo(() => agreementOf(run, judged?.steps ?? []), [run, judged]);
  const decide = async (
    decision: EventOf<'plan-decided'>['decision'],
    { why = '', approves = [] }: { why?: string; approves?: ShownStep[] } = {},
  ) => {
    setSending(true);
    const sent = await ask(id, {
      type: 'plan-decided',
      revision,
      decision,
      ...(approves.length === 0 ? {} : { approves }),
      ...(why.trim() === '' ? {} : { reason: why.trim() }),
    });
    if (!sent) setSending(false);
  };
  return {
    /** As they were judged; undefined until they are. */
    steps: judged?.steps,
    verdicts,
    totals,
    busy: sending || answered,
    waitingForRisk: judged === undefined && preview.isPending && preview.fetchStatus !== 'idle',
    /** Why nobody can say how they are judged. */
    unjudged: judged === undefined ? preview.error : null,
    judgeAgain: () => void preview.refetch(),
    decide,
  };
}
