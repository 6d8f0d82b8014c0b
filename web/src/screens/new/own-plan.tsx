import type { PlanProblem } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ask, attempt } from '../../api/ask.ts';
import { client } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/notice.tsx';
import type { Shown } from '../run/shown.ts';
import { Problems } from './problems.tsx';

const Editor = lazy(() => import('./editor.tsx').then((m) => ({ default: m.Editor })));
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
  return <Writing shown={shown} first={data?.text ?? blank(shown.run.planning?.goal ?? '')} />;
}

function Writing({ shown, first }: { shown: Shown; first: string }) {
  const [text, setText] = useState(first);
  const [problems, setProblems] = useState<readonly PlanProblem[]>([]);
  const give = async () => {
    const read = await attempt(() =>
      client.validatePlan({ text, kind: 'plan', name: 'your plan', workspace: shown.run.workspace }),
    );
    if (read === null) return;
    setProblems(read.problems);
    if (read.ok) await ask(shown.id, { type: 'plan-given', plan: read.plan });
  };
  return (
    <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="rounded-md border border-line-strong bg-surface">
        <Suspense fallback={<pre className="mono max-h-[50vh] overflow-auto p-3 text-dim">{text}</pre>}>
          <Editor text={text} kind="plan" label="Your plan" problems={problems} onChange={setText} />
        </Suspense>
      </div>
      <Problems problems={problems} />
      <Button look="primary" className="justify-self-end" onClick={() => void give()}>
        Use my plan
      </Button>
    </div>
  );
}
