import { type ReactNode, useEffect, useRef, useState } from 'react';

interface FrameProps {
  label: string;
  /** What stands beside: paths, an explanation. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Frame({ label, aside, children }: FrameProps) {
  return (
    <section
      aria-label={label}
      data-testid="dock"
      className="motion-rise grid max-h-[56vh] gap-x-6 gap-y-3 overflow-auto border-wait border-t bg-wait-bg px-4 pt-3.5 pb-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,320px)] max-md:max-h-[60vh] max-md:px-3"
    >
      <div className="min-w-0">{children}</div>
      {aside === undefined || aside === null ? null : <div className="min-w-0">{aside}</div>}
    </section>
  );
}

/** False for the first moments, so that a key meant for something else decides nothing. */
export function useSettled(ms = 400): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return settled;
}

/** Focus for the choice that does least, unless the person is busy elsewhere. */
export function useDefaultFocus<E extends HTMLElement>() {
  const ref = useRef<E>(null);
  useEffect(() => {
    const busy = document.activeElement;
    if (busy === null || busy === document.body || busy.id === 'main')
      ref.current?.focus({ preventScroll: true });
  }, []);
  return ref;
}
