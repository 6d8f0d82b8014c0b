import { X } from 'lucide-react';
import { dismiss, useToasts } from '../api/ask.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';

/** Below the top bar: what is decided, stopped and sent stands at the bottom. */
export function Toasts() {
  const toasts = useToasts((state) => state.toasts);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none -translate-x-1/2 fixed top-13 left-1/2 z-60 flex w-max max-w-[calc(100vw-32px)] flex-col items-center gap-2"
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
