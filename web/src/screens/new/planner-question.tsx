import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { Button } from '../../ui/button.tsx';

export function PlannerQuestion({ id, question }: { id: string; question: string }) {
  const [value, setValue] = useState('');
  return (
    <section
      aria-label="The planner asks"
      data-testid="dock"
      className="motion-rise border-wait border-t bg-wait-bg"
    >
      <form
        className="mx-auto grid max-w-190 gap-2 px-4 py-3"
        onSubmit={(event) => {
          event.preventDefault();
          void ask(id, { type: 'answer-given', value });
        }}
      >
        <h2 className="font-semibold text-[14px]">{question}</h2>
        <div className="flex flex-wrap gap-2">
          <input
            // biome-ignore lint/a11y/noAutofocus: nothing else can go on before this is answered
            autoFocus
            aria-label="Your answer"
            value={value}
            onChange={(event) => setValue(event.target.value)}
            className="h-7 min-w-60 flex-1 rounded-md border border-line-strong bg-code px-2.5 max-md:h-9"
          />
          <Button look="primary" type="submit" disabled={value.trim() === ''}>
            Answer
          </Button>
          <Button look="ghost" onClick={() => void ask(id, { type: 'answer-given' })}>
            Decide for me
          </Button>
        </div>
      </form>
    </section>
  );
}
