import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { setLook, useLook } from '../../../api/look.ts';
import { IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Prose } from '../../../ui/prose.tsx';

interface FrameProps {
  label: string;
  /** Something has failed, rather than somebody being asked. */
  failed?: boolean;
  /** What stands beside: paths, an explanation. */
  aside?: ReactNode;
  /** What can be done, over the whole width. */
  choices?: ReactNode;
  children: ReactNode;
}

export function Frame({ label, failed = false, aside, choices, children }: FrameProps) {
  const folded = useLook((look) => look.folded);
  const hasAside = aside !== undefined && aside !== null;
  return (
    <section
      aria-label={label}
      data-testid="dock"
      className={cx(
        'motion-rise relative grid max-h-[56vh] gap-x-6 gap-y-3 overflow-auto border-t px-4 pt-3.5 pb-4 max-md:max-h-[54vh] max-md:px-3',
        failed ? 'border-fail bg-surface' : 'border-wait bg-wait-bg',
        hasAside && !folded && 'lg:grid-cols-[minmax(0,1fr)_minmax(0,272px)]',
      )}
    >
      <IconButton
        label={folded ? `Unfold: ${label}` : `Fold: ${label}`}
        aria-expanded={!folded}
        onClick={() => setLook({ folded: !folded })}
        className="absolute top-1.5 right-1.5 z-10 size-6.5!"
      >
        {folded ? <ChevronUp size={14} /> : <ChevronDown size={14} />}
      </IconButton>
      {folded ? <p className={failed ? 'text-fail' : 'text-wait'}>{label}</p> : null}
      <div className={folded ? 'hidden' : 'min-w-0 pr-6'}>{children}</div>
      {hasAside ? <div className={folded ? 'hidden' : 'min-w-0'}>{aside}</div> : null}
      {choices === undefined || folded ? null : (
        // However long the evidence is, what can be done about it is in sight; what lies below it fades.
        <div
          className={cx(
            'before:-top-6 sticky -bottom-4 -mb-4 min-w-0 bg-inherit pt-1 pb-4 before:pointer-events-none before:absolute before:inset-x-0 before:h-6 before:bg-linear-to-t before:to-transparent lg:col-span-full',
            failed ? 'before:from-surface' : 'before:from-wait-bg',
          )}
        >
          {choices}
        </div>
      )}
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

/** What a look at the world has against a step, before it is decided on. Items of a list. */
export const Looks = ({ looks }: { looks: readonly string[] }) =>
  looks.map((text) => (
    <li key={text} className="text-wait">
      <b className="font-medium">Before it runs:</b> <Prose text={text} />
    </li>
  ));
