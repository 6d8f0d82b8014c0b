import type { Mend } from '../../model/mending.ts';
import { sourceWords } from '../../model/mending.ts';
import { placeOf } from '../../model/numbering.ts';
import { duration } from '../../model/time.ts';
import { count } from '../../model/words.ts';
import { useNow } from '../../ui/use-now.ts';
import type { Shown } from './shown.ts';

interface MindNoteProps {
  shown: Shown;
  stepId: string;
  attempt: number | null;
}

/** What the brain does about this step, or has done: beside the evidence, in its own colour. */
export function MindNote({ shown, stepId, attempt }: MindNoteProps) {
  const { chronicle, run } = shown;
  const step = run.plan?.steps.find(({ id }) => id === stepId);
  if (chronicle.thinking?.stepId === stepId) return <ThinkingNote shown={shown} />;
  const target = step?.repairs ?? stepId;
  const mends = chronicle.mendsOf(target);
  const mend =
    step?.repairs === undefined
      ? mends.findLast(({ afterAttempt }) => attempt === null || afterAttempt === attempt) ??
        mends.findLast(({ afterAttempt }) => attempt !== null && afterAttempt === attempt - 1)
      : mends.findLast(({ stepIds }) => stepIds.includes(stepId));
  return mend === undefined || mend.byPerson ? null : <MendNote mend={mend} />;
}

const frame = 'mx-4 my-2.5 shrink-0 rounded-r-md border-mind border-l-2 bg-mind-bg px-3 py-2 max-md:mx-3';

function ThinkingNote({ shown }: { shown: Shown }) {
  const thinking = shown.chronicle.thinking!;
  const now = useNow(shown.live);
  return (
    <div role="status" className={frame}>
      <h3 className="flex items-center gap-2 font-semibold text-mind">
        <span aria-hidden="true" className="motion-breathe size-2 rounded-full bg-current" />
        Thinking
        <span className="num font-normal text-faint">{duration(now - thinking.since)}</span>
      </h3>
      <p className="whitespace-pre-wrap text-dim">
        {thinking.text === ''
          ? `Reading the command, its output and what came before ${placeOf(shown.run.plan, thinking.stepId)}.`
          : thinking.text}
      </p>
    </div>
  );
}

export function MendNote({ mend, bare = false }: { mend: Mend; bare?: boolean }) {
  const { correction } = mend;
  if (correction === null) return null;
  const { source, confidence, reasoning } = correction;
  const facts = [
    mend.id.startsWith('r') ? null : `confidence ${confidence.toFixed(2)}`,
    source.brain === 'model' ? null : 'no tokens',
    mend.stepIds.length > 0 ? `adds ${count(mend.stepIds.length, 'step')}` : null,
    mend.revision === null ? null : `revision ${mend.revision}`,
  ].filter((fact) => fact !== null);
  return (
    <div className={bare ? 'rounded-r-md border-mind border-l-2 bg-mind-bg px-3 py-2' : frame}>
      <h3 className="flex flex-wrap items-baseline gap-x-2 font-semibold text-mind">
        {source.brain === 'rule' ? (
          <>
            Rule <span className="mono font-normal">{source.name}</span>
          </>
        ) : (
          sourceWords(correction, mend.byPerson)
        )}
        <span className="font-normal text-faint">{facts.join(' · ')}</span>
      </h3>
      <p className="whitespace-pre-wrap text-dim">{reasoning}</p>
      {correction.modifiedCommand === undefined ? null : (
        <pre className="mono mt-1.5 overflow-auto whitespace-pre-wrap rounded-md border bg-code px-2.5 py-1.5 text-text">
          {correction.modifiedCommand}
        </pre>
      )}
      {mend.message === null || mend.message === '' ? null : (
        <p className="mt-1 text-fail">
          {mend.status === 'refused' ? 'Refused: ' : ''}
          {mend.message}
        </p>
      )}
    </div>
  );
}
