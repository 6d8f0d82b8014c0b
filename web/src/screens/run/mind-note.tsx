import { type RunState, type StepResult, stepState } from '@contract';
import { capital, correctionWords, duration, percent, sourceWords, stepName } from '@told';
import { useCallText } from '../../api/use-call-text.ts';
import { plainText } from '../../model/ansi.ts';
import { type Mend, mendsOf } from '../../model/mending.ts';
import { spokenWords } from '../../model/spoken.ts';
import { CorrectionText } from '../../ui/correction-text.tsx';
import { Prose } from '../../ui/prose.tsx';
import { useNow } from '../../ui/use-now.ts';
import type { Shown } from './shown.ts';

interface MindNoteProps {
  shown: Shown;
  stepId: string;
  attempt: number | null;
}

/** What the brain does about this step, or has done: beside the evidence, in its own colour. */
export function MindNote({ shown, stepId, attempt }: MindNoteProps) {
  const { run } = shown;
  if (run.thinking?.stepId === stepId) return <ThinkingNote shown={shown} />;
  const mend = mendFor(mendsOf(run), stepId, attempt);
  return mend === undefined ? null : <MendNote mend={mend} />;
}

/** The correction that brought the step; or that answered this attempt; or that this attempt came of. */
function mendFor(mends: readonly Mend[], stepId: string, attempt: number | null): Mend | undefined {
  const brought = mends.findLast(({ stepIds }) => stepIds.includes(stepId));
  if (brought !== undefined || attempt === null) return brought;
  const own = mends.filter((mend) => mend.stepId === stepId);
  return (
    own.findLast(({ attemptIndex }) => attemptIndex === attempt) ??
    own.findLast(({ attemptIndex }) => attemptIndex === attempt - 1)
  );
}

const frame = 'mx-4 my-2.5 shrink-0 rounded-r-md border-mind border-l-2 bg-mind-bg px-3 py-2 max-md:mx-3';

function ThinkingNote({ shown }: { shown: Shown }) {
  const thinking = shown.run.thinking!;
  const now = useNow(shown.live);
  const call = openCall(shown.run);
  const text = useCallText(shown.id, call);
  const said =
    lastLines(spokenWords(text)) || lastWords(stepState(shown.run, thinking.stepId)?.result ?? null);
  return (
    <div role="status" className={frame}>
      <h3 className="flex items-center gap-2 font-semibold text-mind">
        <span aria-hidden="true" className="motion-breathe size-2 rounded-full bg-current" />
        Thinking
        <span className="num font-normal text-faint">{duration(now - thinking.since)}</span>
      </h3>
      <p className="text-dim">
        {text === ''
          ? `Reading what ${stepName(shown.run.plan, thinking.stepId)} ran, what it said, and what came before.`
          : 'A model answers:'}
      </p>
      {said === '' ? null : (
        <pre className="mono mt-1.5 max-h-28 overflow-auto whitespace-pre-wrap rounded-md border bg-code px-2.5 py-1.5 text-dim">
          {said}
        </pre>
      )}
    </div>
  );
}

/** The call of a model that is under way; null where none is. */
const openCall = ({ spending }: RunState): string | null =>
  Object.entries(spending.open).findLast(([, { interrupted }]) => !interrupted)?.[0] ?? null;

const lastLines = (text: string): string => text.trim().split('\n').slice(-8).map(plainText).join('\n');

/** The end of what a failure said, as the brain is shown it first. */
function lastWords(result: StepResult | null): string {
  const text = result?.stderrTail || result?.stdoutTail || result?.message || '';
  return lastLines(text);
}

export function MendNote({ mend, bare = false }: { mend: Mend; bare?: boolean }) {
  const { correction } = mend;
  const { source, confidence, reasoning } = correction;
  const facts = [
    correctionWords(correction),
    `${percent(confidence)} sure`,
    ...(source.brain === 'model' ? [] : ['no tokens']),
  ];
  return (
    <div className={bare ? 'rounded-r-md border-mind border-l-2 bg-mind-bg px-3 py-2' : frame}>
      <h3 className="flex flex-wrap items-baseline gap-x-2 font-semibold text-mind">
        {capital(sourceWords(correction))}
        <span className="font-normal text-faint">{facts.join(' · ')}</span>
      </h3>
      <p className="whitespace-pre-wrap text-dim">
        <Prose text={reasoning} />
      </p>
      <CorrectionText correction={correction} />
      {mend.reason === null ? null : (
        <p className="mt-1 text-fail">
          {mend.status === 'refused' ? 'Refused: ' : ''}
          <Prose text={mend.reason} />
        </p>
      )}
    </div>
  );
}
