import type { ReactNode } from 'react';

export function CodeList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol aria-label={label} className="mt-4 border-t">
      {children}
    </ol>
  );
}
