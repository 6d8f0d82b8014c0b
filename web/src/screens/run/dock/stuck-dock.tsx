import { useState } from 'react';
import { ask } from '../../../api/ask.ts';
import type { Question } from '../../../model/question.ts';
import { capital, failureWords } from '../../../model/words.ts';
import { Button } from '../../../ui/button.tsx';
import type { Shown } from '../shown.ts';
import { EditAction } from './edit-action.tsx';
import { Frame } from './frame.tsx';
import { editStep } from './use-edit.ts';

type Stuck = Extract<Question, { kind: 'stuck' }>;

/** The brain has given up: say what it does not know, mend the step by hand, or go on without it. */
export function StuckDock({ shown, question }: { shown: Shown; question: Stuck }) {
  const { stepId, step, state } = question;
  const { run, id } = shown;
  const [hint, setHint] = useState('');
  const [editing, setEditing] = useState(false);
  const limits = run.options?.limits;
  const more = () =>
    void ask(id, {
      type: 'resume-requested',
      ...(limits === undefined
        ? {}
        : {
            limits: {
              corrections: limits.corrections + 5,
              retriesPerStep: limits.retriesPerStep + 3,
              addedSteps: limits.addedSteps + 5,
            },
          }),
    });
  return (
    <Frame label="The brain gave up">
      <h2 className="mb-1 font-semibold text-[14px]">“{step.title}” could not be mended</h2>
      <p className="text-dim">
        It {failureWords(state.result)}. {capital(state.givenUp?.message ?? run.message ?? '')}
      </p>
      {editing ? (
        <div className="mt-3">
          <EditAction
            step={step}
            saveLabel="Use this instead"
            onCancel={() => setEditing(false)}
            onSave={(action) =>
              void editStep(shown, step, action).then(
                (sent) => sent && void ask(id, { type: 'resume-requested' }),
              )
            }
          />
        </div>
      ) : (
        <>
          <form
            className="mt-3 flex flex-wrap gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              if (hint.trim() !== '') void ask(id, { type: 'hint-requested', stepId, text: hint.trim() });
            }}
          >
            <input
              aria-label="A hint for the brain"
              placeholder="What does the brain not know? “The port is taken by nginx”"
              value={hint}
              onChange={(event) => setHint(event.target.value)}
              className="h-7 min-w-60 flex-1 rounded-md border border-line-strong bg-code px-2.5 placeholder:text-faint"
            />
            <Button look="primary" type="submit" disabled={hint.trim() === ''}>
              Give the hint, try again
            </Button>
          </form>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button onClick={() => setEditing(true)}>Edit the step…</Button>
            <Button onClick={more}>Allow more corrections</Button>
            <Button onClick={() => void ask(id, { type: 'skip-requested', stepId })}>Skip it</Button>
          </div>
        </>
      )}
    </Frame>
  );
}
