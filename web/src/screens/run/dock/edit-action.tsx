import type { Action, Step } from '@contract';
import { useEffect, useState } from 'react';
import { attempt, say } from '../../../api/ask.ts';
import { client } from '../../../api/client.ts';
import { editableText, withEditedText } from '../../../model/edited-action.ts';
import { EditText } from './edit-text.tsx';

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
    <EditText
      text={text}
      label="The action, to edit"
      saveLabel={saveLabel}
      onChange={setText}
      onSave={() => void save()}
      onCancel={onCancel}
    />
  );
}
