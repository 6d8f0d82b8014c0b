import type { EventOf } from '@contract';
import { actionText } from '@contract';
import { capital, type Question, visible, wasItDone } from '@told';
import { ask } from '../../../api/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { CommandText } from '../../../ui/command-text.tsx';
import type { Shown } from '../shown.ts';
import { Frame, useDefaultFocus } from './frame.tsx';

type Interrupt = Extract<Question, { kind: 'interrupt' }>;

/** Nobody knows whether the step was done. Only a person who looks can say. */
export function InterruptDock({ shown, question }: { shown: Shown; question: Interrupt }) {
  const { stepId, step, attemptIndex, detail } = question;
  const stop = useDefaultFocus<HTMLButtonElement>();
  const decide = (decision: EventOf<'interrupt-decided'>['decision']) =>
    void ask(shown.id, { type: 'interrupt-decided', stepId, attemptIndex, decision });
  return (
    <Frame label="Was it done?">
      <h2 className="mb-2 font-semibold text-[14px]">{wasItDone(visible(step.title))}</h2>
      <pre className="max-h-40 overflow-auto rounded-md border bg-code px-2.5 py-2">
        <CommandText text={actionText(step.action).text} />
      </pre>
      <p className="mt-2 text-dim">It was running when the process that drove it ended. {capital(detail)}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button ref={stop} hint="⏎" className="border-text font-medium" onClick={() => decide('stop')}>
          Stop here, look first
        </Button>
        <Button onClick={() => decide('done')}>It was done: go on</Button>
        <Button onClick={() => decide('rerun')}>It was not: run it again</Button>
        <Button onClick={() => decide('skip')}>Skip it</Button>
      </div>
    </Frame>
  );
}
