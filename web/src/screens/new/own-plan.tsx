import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/ask.ts';
import { client } from '../../api/client.ts';
import { Skeleton } from '../../ui/notice.tsx';
import type { Shown } from '../run/shown.ts';
import { PlanWriting } from './plan-writing.tsx';

const blank = (goal: string) =>
  `goal: ${JSON.stringify(goal)}\nplan:\n  - step: \n    action: RUN_COMMAND \n`;

/** Where planning came to nothing, a person writes the plan, from the best draft or from nothing. */
export function OwnPlan({ shown }: { shown: Shown }) {
  const { data, isPending } = useQuery({
    queryKey: ['plan-file', shown.id, shown.run.planning?.failed?.best],
    queryFn: () => client.planFile(shown.id),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isPending) return <Skeleton rows={4} />;
  return (
    <PlanWriting
      first={data?.text ?? blank(shown.run.planning?.goal ?? '')}
      label="Your plan"
      name="your plan"
      workspace={shown.run.workspace}
      doLabel="Use my plan"
      onRead={async ({ plan }) => void (await ask(shown.id, { type: 'plan-given', plan }))}
    />
  );
}
