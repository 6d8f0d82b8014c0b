import { visibleLines } from '@told';
import { useState } from 'react';
import { askTask } from '../../api/ask-task.ts';
import { Button } from '../../ui/button.tsx';

/** What an agent has to know before it can go on. */
export function QuestionBox({ id, question }: { id: string; question: string }) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    if (await askTask(id, { type: 'answer-given', text: text.trim() })) setText('');
    setBusy(false);
  };
  return (
    <section aria-label="Question" className="shrink-0 border-wait border-b bg-wait-bg px-4 py-3 max-md:px-3">
      <h2 className="mb-2 max-w-190 whitespace-pre-wrap font-semibold text-[14px]">
        {visibleLines(question)}
      </h2>
      <form
        className="flex max-w-190 flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <textarea
          aria-label="Your answer"
          rows={1}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return;
            event.preventDefault();
            if (text.trim() !== '' && !busy) void send();
          }}
          className="min-h-8 min-w-60 flex-1 resize-y rounded-md border border-line-strong bg-code px-2.5 py-1.5"
        />
        <Button look="primary" type="submit" disabled={busy || text.trim() === ''} className="h-8">
          Answer
        </Button>
      </form>
    </section>
  );
}
