import type { Scope } from '@contract';
import type { ReactNode } from 'react';
import { useLack } from '../api/me.ts';

/** What is for those who may alone: others see it, cannot use it, and are told why. */
export function Needs({ scope, children }: { scope: Scope; children: ReactNode }) {
  const lack = useLack(scope);
  if (lack === null) return children;
  return (
    <>
      <p role="note" className="border-t bg-raised px-4 py-2 text-dim text-small">
        {lack}
      </p>
      <fieldset disabled className="contents">
        {children}
      </fieldset>
    </>
  );
}
