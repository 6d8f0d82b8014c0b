import type { Action, Step } from '@contract';
import { useEffect, useState } from 'react';
import { attempt, say } from '../../../api/ask.ts';
import { client } from '../../../api/client.ts';
import { editableText, withEditedText } from '../../../model/edited-action.ts';
import { Button } from '../../../ui/button.tsx';

interface EditActionProps {
  step: Step;
  saveLabel: string;
  onSave(action: Action): void;
  onCancel(): void;
}

/** A command as its text; any other action as the line of a plan file. */
export function EditAction({ step, saveLabel, onSave, onCancel }: EditActionProps) {
  const own = editableText(step.action);
  const [text, setText] = useState(own);
  useEffect(() => {
    if (own !== null) return;
    void attempt(() => client.printActions({ actions: [step.action] })).then((printed) =>
      setText(printed?.lines[0] ?? ''),
    );
  }, [own, step]);
  const save = async () => {
    const given = (text ?? '').trim();
    if (given === '') return;
    if (own !== null) return onSave(withEditedText(step.action, given));
    const parsed = await attempt(() => client.parseAction({ line: given }));
    if (parsed === null) return;
    if (parsed.ok) onSave(parsed.action);
    else say(parsed.message, true);
  };
  return (
    <div className="grid gap-2">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person asked to edit it
        autoFocus
        aria-label="The action, to edit"
        rows={Math.min(10, Math.max(2, (text ?? '').split('\n').length))}
        value={text ?? ''}
        disabled={text === null}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
        }}
        className="mono w-full resize-y rounded-md border border-line-strong bg-code px-2.5 py-2"
      />
      <div className="flex flex-wrap gap-2">
        <Button look="primary" onClick={() => void save()}>
          {saveLabel}
        </Button>
        <Button onClick={onCancel}>Leave it as it is</Button>
      </div>
    </div>
  );
}
