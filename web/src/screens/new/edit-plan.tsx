import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, say } from '../../api/ask.ts';
import { client } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton, Trouble } from '../../ui/notice.tsx';
import type { Shown } from '../run/shown.ts';
import { PlanWriting, type ReadPlan } from './plan-writing.tsx';

/** The whole plan as the text of its file. What is changed in it becomes one revision, and is judged like any plan. */
export function EditPlan({ shown, onClose }: { shown: Shown; onClose(): void }) {
  const { id, run } = shown;
  // What was edited is what was read: a plan that has changed meanwhile refuses it.
  const [revision] = useState(run.plan!.revision);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['plan-file', id, revision],
    queryFn: () => client.planFile(id),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isPending) return <Skeleton rows={6} />;
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />;
  const change = async ({ patch = [] }: ReadPlan) => {
    if (patch.length === 0) say('Nothing was changed: steps can be, and what they are for stays.');
    const reason = 'edited by a person';
    if (
      patch.length === 0 ||
      (await ask(id, { type: 'edit-requested', baseRevision: revision, patch, reason }))
    )
      onClose();
  };
  return (
    <PlanWriting
      first={data.text ?? ''}
      label="The plan as text"
      name="the plan"
      workspace={run.workspace}
      run={id}
      doLabel="Change the plan"
      other={
        <Button look="ghost" onClick={onClose}>
          Leave it as it was
        </Button>
      }
      onRead={change}
    />
  );
}
