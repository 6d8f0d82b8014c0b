import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export function Kbd({ children, bare = false }: { children: ReactNode; bare?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'whitespace-nowrap rounded-sm border px-1 font-mono text-[11px] leading-4 max-md:hidden',
        bare ? 'border-current/40' : 'border-line-strong text-dim',
      )}
    >
      {children}
    </span>
  );
}
