import type { Question } from '@told';
import { useState } from 'react';
import { ask } from '../../../api/ask.ts';
import { Button } from '../../../ui/button.tsx';
import type { Shown } from '../shown.ts';
import { Frame, useDefaultFocus } from './frame.tsx';

type Asked = Extract<Question, { kind: 'ask' | 'manual' }>;

/** A question to answer, or something to do by hand. */
export function AnswerDock({ shown, question }: { shown: Shown; question: Asked }) {
  const { stepId, step, text } = question;
  const [value, setValue] = useState('');
  const input = useDefaultFocus<HTMLInputElement>();
  const answer = (given?: string) =>
    void ask(shown.id, { type: 'answer-given', stepId, ...(given === undefined ? {} : { value: given }) });
  const later = (
    <Button look="ghost" onClick={() => void ask(shown.id, { type: 'pause-requested' })}>
      Stop here, resume later
    </Button>
  );
  return (
    <Frame label={question.kind === 'ask' ? 'Answer' : 'By hand'}>
      <h2 className="mb-1 font-semibold text-[14px]">{question.kind === 'ask' ? text : step.title}</h2>
      {question.kind === 'manual' ? (
        <>
          <p className="whitespace-pre-wrap text-dim">{text}</p>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button look="primary" onClick={() => answer()}>
              I have done it
            </Button>
            <Button onClick={() => void ask(shown.id, { type: 'skip-requested', stepId })}>Skip it</Button>
            {later}
          </div>
        </>
      ) : (
        <form
          className="mt-2 flex flex-wrap gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            answer(value);
          }}
        >
          <input
            ref={input}
            aria-label="Your answer"
            value={value}
            onChange={(event) => setValue(event.target.value)}
            className="mono h-7 min-w-60 flex-1 rounded-md border border-line-strong bg-code px-2.5 max-md:h-9"
          />
          <Button look="primary" type="submit">
            Answer
          </Button>
          {later}
        </form>
      )}
    </Frame>
  );
}
