import type { ReactElement, ReactNode } from 'react';

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  hint?: string;
  danger?: boolean;
  disabled?: boolean;
  onSelect(): void;
}

export interface MenuProps {
  trigger: ReactElement<Record<string, unknown>>;
  items: readonly (MenuItem | null)[];
}
