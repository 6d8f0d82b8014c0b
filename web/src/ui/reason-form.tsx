import { Button } from './button.tsx';
import { cx } from './cx.ts';

interface ReasonFormProps {
  reason: string;
  placeholder: string;
  /** What sends it. */
  label: string;
  danger?: boolean;
  busy: boolean;
  className?: string;
  onChange(reason: string): void;
  onSend(): void;
  onBack(): void;
}

/** A no, and why not. Escape goes back. */
export function ReasonForm(props: ReasonFormProps) {
  const { reason, placeholder, label, danger = false, busy, className, onChange, onSend, onBack } = props;
  return (
    <form
      className={cx('flex flex-wrap gap-2', className)}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the person asked to write a reason
        autoFocus
        aria-label="Why not"
        placeholder={placeholder}
        value={reason}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onBack()}
        className="h-7 min-w-48 flex-1 rounded-md border border-line-strong bg-code px-2.5 placeholder:text-faint max-md:h-9"
      />
      <Button
        type="submit"
        disabled={busy}
        {...(danger ? { look: 'danger' } : { className: 'border-text font-medium' })}
      >
        {label}
      </Button>
      <Button look="ghost" onClick={onBack}>
        Back
      </Button>
    </form>
  );
}
