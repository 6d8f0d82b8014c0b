import { X } from 'lucide-react';
import { dismiss, useToasts } from '../api/ask.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';

export function Toasts() {
  const toasts = useToasts((state) => state.toasts);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-10 z-60 flex max-w-[calc(100vw-32px)] flex-col items-end gap-2"
    >
      {toasts.map(({ id, text, bad }) => (
        <div
          key={id}
          className="motion-rise pointer-events-auto flex max-w-md items-start gap-2 rounded-md bg-raised py-1 pr-1 pl-3 shadow-overlay"
        >
          <span className={cx('py-1', bad && 'text-fail')}>{text}</span>
          <IconButton label="Dismiss" onClick={() => dismiss(id)}>
            <X size={14} />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
