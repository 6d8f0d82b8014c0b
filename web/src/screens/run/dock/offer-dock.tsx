import type { EventOf, Step } from '@contract';
import { actionText, judgementOf, stepState } from '@contract';
import { failureWords, furtherWords, halfwayWords, lookWords, placeOf } from '@told';
import { useState } from 'react';
import { ask } from '../../../api/ask.ts';
import { useKeys } from '../../../shell/keys.ts';
import { Button } from '../../../ui/button.tsx';
import { CommandText } from '../../../ui/command-text.tsx';
import { Risk } from '../../../ui/risk.tsx';
import type { Shown } from '../shown.ts';
import { EditAction } from './edit-action.tsx';
import { Explanation } from './explanation.tsx';
import { Frame, Looks, useSettled } from './frame.tsx';
import { editStep } from './use-edit.ts';

type Answer = EventOf<'step-decided'>['decision'];

/** Teacher mode: the person runs the step, with what it does beside it. */
export function OfferDock({ shown, step, failed }: { shown: Shown; step: Step; failed: boolean }) {
  const { run, chronicle, id } = shown;
  const [editing, setEditing] = useState(false);
  const [busy, setBusy] = useState(false);
  const settled = useSettled();
  const state = stepState(run, step.id);
  const verdict = judgementOf(run, step.id)?.verdict ?? chronicle.judged(step.id)?.verdict ?? null;
  const { verb, text } = actionText(step.action);
  const decide = async (decision: Answer) => {
    setBusy(true);
    if (!(await ask(id, { type: 'step-decided', stepId: step.id, decision }))) setBusy(false);
  };
  useKeys(
    {
      r: () => void decide('run'),
      m: () => void decide('did-it'),
      s: () => void decide('skip'),
      e: () => setEditing(true),
    },
    settled && !editing && !busy,
  );
  const result = chronicle.attempts(step.id).at(-1)?.result ?? state?.result ?? null;
  return (
    <Frame label="Your turn" aside={<Explanation shown={shown} step={step} />}>
      <h2 className="mb-2 flex flex-wrap items-center gap-x-2 font-semibold text-[14px]">
        {verdict ? <Risk level={verdict.level} /> : null}
        {step.title}
        <span className="font-normal text-base text-dim">{placeOf(run.plan, step.id)}</span>
      </h2>
      {editing ? (
        <EditAction
          step={step}
          saveLabel="Use this instead"
          onCancel={() => setEditing(false)}
          onSave={(action) => void editStep(shown, step, action).then((sent) => sent && setEditing(false))}
        />
      ) : (
        <pre className="max-h-48 overflow-auto rounded-md border bg-code px-2.5 py-2">
          {verb === null ? null : <span className="mono text-faint">{verb} </span>}
          <CommandText text={text} verdict={verb === null ? verdict : null} />
        </pre>
      )}
      <ul className="mt-2 grid gap-0.5 text-dim">
        <Looks looks={lookWords(run, step.id)} />
        {failed ? (
          <li className="text-fail">
            The last attempt {failureWords(result)}
            {furtherWords(result) === null ? '' : `: ${furtherWords(result)}`}
          </li>
        ) : null}
        {failed && halfwayWords(result) !== null ? (
          <li className="[overflow-wrap:anywhere]">{halfwayWords(result)}</li>
        ) : null}
        {step.why === undefined ? null : (
          <li>
            <b className="font-medium text-text">Why:</b> {step.why}
          </li>
        )}
        {step.expects === undefined ? null : (
          <li>
            <b className="font-medium text-text">Expect:</b> <code className="mono">{step.expects}</code>
          </li>
        )}
      </ul>
      {editing ? null : (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button look="primary" hint="r" disabled={busy} onClick={() => void decide('run')}>
            {failed ? 'Run it again' : 'Run it'}
          </Button>
          <Button hint="m" disabled={busy} onClick={() => void decide('did-it')}>
            I did it myself
          </Button>
          <Button hint="s" disabled={busy} onClick={() => void decide('skip')}>
            Skip it
          </Button>
          <Button hint="e" disabled={busy} onClick={() => setEditing(true)}>
            Edit…
          </Button>
          <Button look="ghost" disabled={busy} onClick={() => void decide('stop')}>
            Stop here
          </Button>
        </div>
      )}
    </Frame>
  );
}
