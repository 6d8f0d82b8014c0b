import { cx } from './cx.ts';

interface ToggleProps {
  label: string;
  on: boolean;
  /** The key that does the same. */
  hint?: string;
  onChange(on: boolean): void;
}

export function Toggle({ label, on, hint, onChange }: ToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={on}
      {...(hint === undefined ? {} : { 'aria-keyshortcuts': hint })}
      onClick={() => onChange(!on)}
      className={cx(
        'h-6.5 shrink-0 whitespace-nowrap rounded-md px-2 hover:bg-hover',
        on ? 'text-text' : 'text-faint',
      )}
    >
      <span
        aria-hidden="true"
        className={cx(
          'mr-1.5 inline-block size-1.5 rounded-full align-middle',
          on ? 'bg-current' : 'border border-current',
        )}
      />
      {label}
    </button>
  );
}
