import { cloneElement, lazy, Suspense, useState } from 'react';
import type { MenuProps } from './menu-item.ts';

const MenuBox = lazy(() => import('./menu-box.tsx').then((m) => ({ default: m.MenuBox })));

/** A button until it is first pressed; what a menu is made of is not fetched before. */
export function Menu({ trigger, items }: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
  });
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <MenuBox trigger={trigger} items={items} />
    </Suspense>
  );
}
