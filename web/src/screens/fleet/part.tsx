import type { ReactNode } from 'react';

export function Part({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      <div className="mb-1.5 flex h-8 items-center justify-between">
        <h2 className="font-semibold">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

export const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="rounded-md border px-3 py-3 text-dim">{children}</p>
);
