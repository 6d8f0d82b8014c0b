import { judgementOf, planStep, type StepState, stepState } from '@contract';
import { relativeTo, stepName, visible } from '@told';
import { useOutput, useStepOutput } from '../../../api/use-output.ts';
import { useKnown } from '../shown.ts';
import { OutputView } from './output-view.tsx';
import type { PaneProps } from './pane.ts';

/** A repair that has not run has no output: what it is to mend is the evidence. */
export function OutputPane(props: PaneProps) {
  const { shown, stepId, attempt } = props;
  const target = planStep(shown.run, stepId)?.repairs;
  if (attempt !== null || target === undefined) return <OutputOf {...props} />;
  const tried = (stepState(shown.run, target)?.attempts ?? 1) - 1;
  return (
    <>
      <p className="shrink-0 border-b px-4 py-1.5 text-dim">
        What {stepName(shown.run.plan, target)} said when it failed:
      </p>
      <OutputOf {...props} stepId={target} attempt={tried} />
    </>
  );
}

function OutputOf({ shown, stepId, attempt, search, go }: PaneProps) {
  const source = useStepOutput(shown.id, stepId, attempt);
  const output = useOutput(source);
  const isKnown = useKnown(shown, [stepId]);
  const state = stepState(shown.run, stepId);
  if (attempt === null || source === null)
    return (
      <p className="p-4 text-faint">
        {state?.status === 'skipped' ? 'It was skipped, so there is no output.' : 'Not run yet.'}
      </p>
    );
  // An attempt that was denied, or never begun, has no log that could end.
  const isOver = shown.run.inFlight?.stepId !== stepId || shown.run.inFlight.attemptIndex !== attempt;
  const isStill = output.ended || (isOver && output.isRead && isKnown);
  const tried = shown.chronicle.attempts(stepId).find(({ index }) => index === attempt);
  const silence = tried?.result?.why === 'denied' ? 'It was denied, so it did not run.' : 'It wrote nothing.';
  return (
    <OutputView
      output={output}
      url={source.url}
      folder={judgementOf(shown.run, stepId)?.subject.cwd ?? shown.run.workspace}
      live={shown.live}
      running={state?.status === 'running'}
      nothing={isStill ? silence : null}
      head={
        <ItemName item={tried?.item ?? null} loop={state?.loop ?? null} workspace={shown.run.workspace} />
      }
      line={search.line}
      onLine={(line) => go({ line, step: stepId, attempt })}
    />
  );
}

interface ItemNameProps {
  item: number | null;
  loop: StepState['loop'];
  workspace: string;
}

/** Which item of a loop this output is of. */
function ItemName({ item, loop, workspace }: ItemNameProps) {
  if (item === null || loop === null) return null;
  const name = loop.items?.[item];
  return (
    <p className="mono shrink-0 border-b bg-bg px-4 py-1 text-dim [overflow-wrap:anywhere] max-md:px-3">
      item {item + 1} of {loop.count}
      {name === undefined ? '' : `: ${visible(relativeTo(workspace, name))}`}
    </p>
  );
}
