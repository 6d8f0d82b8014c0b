import { visibleLines } from '@told';
import { useState } from 'react';
import { askChat } from '../../api/ask-chat.ts';
import { Button } from '../../ui/button.tsx';
import { useDefaultFocus } from '../run/dock/frame.tsx';

interface QuestionCardProps {
  chat: string;
  callId: string;
  question: string;
}

/** What the model asks the person, and a field for the answer. */
export function QuestionCard({ chat, callId, question }: QuestionCardProps) {
  const [value, setValue] = useState('');
  const field = useDefaultFocus<HTMLInputElement>();
  return (
    <form
      aria-label="Answer"
      className="motion-rise grid gap-2 border-wait border-t bg-wait-bg px-3 py-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (value.trim() !== '') void askChat(chat, { type: 'answer-given', callId, value: value.trim() });
      }}
    >
      <p className="whitespace-pre-line font-medium [overflow-wrap:anywhere]">{visibleLines(question)}</p>
      <div className="flex flex-wrap gap-2">
        <input
          ref={field}
          aria-label="Your answer"
          value={value}
          onChange={(event) => setValue(event.target.value)}
          className="h-7 min-w-48 flex-1 rounded-md border border-line-strong bg-code px-2.5 max-md:h-9"
        />
        <Button look="primary" type="submit" disabled={value.trim() === ''}>
          Answer
        </Button>
      </div>
    </form>
  );
}
