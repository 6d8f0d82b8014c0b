import { Button } from '../../../ui/button.tsx';

interface EditTextProps {
  /** Null until it is known. */
  text: string | null;
  label: string;
  saveLabel: string;
  onChange(text: string): void;
  onSave(): void;
  onCancel(): void;
}

/** What is to be done, as a text that a person changes. */
export function EditText({ text, label, saveLabel, onChange, onSave, onCancel }: EditTextProps) {
  return (
    <div className="grid gap-2">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person asked to edit it
        autoFocus
        aria-label={label}
        rows={Math.min(10, Math.max(2, (text ?? '').split('\n').length))}
        value={text ?? ''}
        disabled={text === null}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSave();
        }}
        className="mono w-full resize-y rounded-md border border-line-strong bg-code px-2.5 py-2"
      />
      <div className="flex flex-wrap gap-2">
        <Button look="primary" onClick={onSave}>
          {saveLabel}
        </Button>
        <Button onClick={onCancel}>Leave it as it is</Button>
      </div>
    </div>
  );
}
