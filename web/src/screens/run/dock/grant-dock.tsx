import { grantWords, type Help } from '@told';
import { ask } from '../../../api/ask.ts';
import { Button } from '../../../ui/button.tsx';
import type { Shown } from '../shown.ts';
import { Frame } from './frame.tsx';

type Grant = Extract<Help, { kind: 'grant' }>;

export function GrantDock({ shown, question }: { shown: Shown; question: Grant }) {
  const { stepId, step, state } = question;
  const grants = state.result?.missing ?? {};
  const words = grantWords(grants);
  return (
    <Frame label="Refused by the sandbox">
      <h2 className="mb-1 font-semibold text-[14px]">The sandbox refused “{step.title}”</h2>
      <p className="text-dim">
        It wanted to {words.join(', and to ')}. With exactly that it can be run again.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button look="danger" onClick={() => void ask(shown.id, { type: 'retry-requested', stepId, grants })}>
          Let it {words[0] ?? 'run'}, and run it again
        </Button>
        <Button onClick={() => void ask(shown.id, { type: 'skip-requested', stepId })}>Skip it</Button>
      </div>
    </Frame>
  );
}
