import { actionText, type PlanPatch, type RunState } from '@contract';

/** A patch of the plan as lines that came and went. */
export function PlanChanges({ patch, before }: { patch: PlanPatch; before(): RunState }) {
  const was = before().plan;
  const line = (id: string) => {
    const step = was?.steps.find((known) => known.id === id);
    return step === undefined ? id : `${step.title}  ${actionText(step.action).text}`;
  };
  const lines = patch.flatMap((change): { sign: '+' | '−'; text: string }[] => {
    if (change.op === 'insert')
      return change.steps.map((step) => ({
        sign: '+',
        text: `${step.title}  ${actionText(step.action).text}`,
      }));
    if (change.op === 'remove') return [{ sign: '−', text: line(change.stepId) }];
    return [
      { sign: '−', text: line(change.stepId) },
      { sign: '+', text: `${change.step.title}  ${actionText(change.step.action).text}` },
    ];
  });
  return (
    <pre className="mono mt-1.5 overflow-x-auto rounded-md border bg-code px-2.5 py-1.5">
      {lines.map(({ sign, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
        <div key={at} className={sign === '+' ? 'text-done' : 'text-fail'}>
          {sign} {text.replaceAll('\n', ' ⏎ ')}
        </div>
      ))}
    </pre>
  );
}
