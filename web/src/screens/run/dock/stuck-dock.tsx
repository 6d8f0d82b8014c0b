import { moreAttempts, parseModelName, printModelName } from '@contract';
import { capital, failedItem, failureWords, furtherWords, type Help, halfwayWords, visible } from '@told';
import { useState } from 'react';
import { ask, goOn } from '../../../api/ask.ts';
import { useAdvice, useModels } from '../../../api/queries.ts';
import { resumeWords } from '../../../model/modes.ts';
import { Button } from '../../../ui/button.tsx';
import { Prose } from '../../../ui/prose.tsx';
import type { Shown } from '../shown.ts';
import { Advice } from './advice.tsx';
import { EditAction } from './edit-action.tsx';
import { Frame } from './frame.tsx';
import { editStep } from './use-edit.ts';

type Stuck = Extract<Help, { kind: 'stuck' }>;

/** A step failed and nobody mends it: try again, mend it by hand, let the brain try, or go on without it. */
export function StuckDock({ shown, question }: { shown: Shown; question: Stuck }) {
  const { stepId, step, state } = question;
  const { run, id } = shown;
  const [editing, setEditing] = useState(false);
  const agentic = run.options?.mode === 'agentic';
  // Nothing went wrong that a brain could mend: a person said no.
  const isDenied = state.result?.why === 'denied';
  const wantsAdvice = !agentic && run.status === 'failed' && !isDenied;
  const said = furtherWords({
    message: state.givenUp?.message ?? state.result?.message ?? run.message ?? '',
  });
  const advice = useAdvice(id, run, stepId, wantsAdvice).data;
  const hasModel = (useModels().data?.roles ?? []).some(
    ({ role, chain }) => role === 'brain' && chain.some(({ available }) => available),
  );
  // Rules and memory have said that they know nothing, and there is nobody else to ask.
  const isHelpless = wantsAdvice && advice?.correction === null && !hasModel;
  const resume = () => void goOn(id);
  const mend = async () => {
    if (await ask(id, { type: 'mode-requested', mode: 'agentic' })) resume();
  };
  return (
    <Frame failed label="A step failed">
      <h2 className="mb-1 font-semibold text-[14px]">
        “{step.title}” {agentic ? 'could not be mended' : failureWords(state.result)}
      </h2>
      {failedItem(state) === null ? null : (
        <p className="mono [overflow-wrap:anywhere]">{visible(failedItem(state)!)}</p>
      )}
      {said === null || said === '' ? null : (
        <p className="text-dim">
          <Prose text={capital(said)} />
        </p>
      )}
      {halfwayWords(state.result) === null ? null : (
        <p className="text-dim [overflow-wrap:anywhere]">{halfwayWords(state.result)}</p>
      )}
      {editing ? (
        <div className="mt-3">
          <EditAction
            step={step}
            saveLabel="Use this instead, and go on"
            onCancel={() => setEditing(false)}
            onSave={(action) => void editStep(shown, step, action).then((sent) => sent && resume())}
          />
        </div>
      ) : (
        <>
          {agentic ? (
            <Hint id={id} stepId={stepId} />
          ) : (
            <Advice shown={shown} stepId={stepId} wanted={wantsAdvice} />
          )}
          <div className="mt-3 flex flex-wrap gap-2">
            {agentic ? (
              <>
                <MoreCorrections shown={shown} />
                <OtherModel shown={shown} />
              </>
            ) : null}
            {agentic || isDenied || isHelpless ? null : (
              <Button onClick={() => void mend()}>Let the brain mend it</Button>
            )}
            <Button onClick={resume}>{resumeWords(run)}</Button>
            {run.options?.mode === 'teacher' ? (
              <Button onClick={() => void ask(id, { type: 'step-decided', stepId, decision: 'did-it' })}>
                I did it myself
              </Button>
            ) : null}
            <Button onClick={() => setEditing(true)}>Edit the step…</Button>
            <Button
              onClick={() =>
                void ask(id, { type: 'skip-requested', stepId }).then((sent) => sent && resume())
              }
            >
              Go on without it
            </Button>
          </div>
        </>
      )}
    </Frame>
  );
}

function Hint({ id, stepId }: { id: string; stepId: string }) {
  const [hint, setHint] = useState('');
  const text = hint.trim();
  return (
    <form
      className="mt-3 flex flex-wrap gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (text !== '') void ask(id, { type: 'hint-requested', stepId, text });
      }}
    >
      <input
        aria-label="A hint for the brain"
        placeholder="What does the brain not know? “The port is taken by nginx”"
        value={hint}
        onChange={(event) => setHint(event.target.value)}
        className="h-7 min-w-60 flex-1 rounded-md border border-line-strong bg-code px-2.5 placeholder:text-faint max-md:h-9"
      />
      <Button look="primary" type="submit" disabled={text === ''}>
        Give the hint, go on
      </Button>
    </form>
  );
}

function MoreCorrections({ shown }: { shown: Shown }) {
  const limits = shown.run.options?.limits;
  if (limits === undefined || shown.run.stopReason !== 'agent-stuck') return null;
  return (
    <Button onClick={() => void goOn(shown.id, { limits: moreAttempts(limits) })}>
      Allow more attempts, go on
    </Button>
  );
}

/** The models of the chain, for whoever would rather hear another one first. */
function OtherModel({ shown }: { shown: Shown }) {
  const limits = shown.run.options?.limits;
  const chain = useModels().data?.roles.find(({ role }) => role === 'brain')?.chain ?? [];
  const names = chain.filter(({ available }) => available).map(printModelName);
  if (limits === undefined || names.length === 0) return null;
  const choose = (name: string) => {
    const brain = parseModelName(name);
    if (brain === null) return;
    void goOn(shown.id, { brain, limits: moreAttempts(limits) });
  };
  return (
    <select
      aria-label="Ask another model"
      value=""
      onChange={(event) => choose(event.target.value)}
      className="h-7 rounded-md border border-line-strong bg-transparent px-2 max-md:h-9"
    >
      <option value="">Ask another model…</option>
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}
