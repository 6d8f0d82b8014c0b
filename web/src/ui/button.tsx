import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { cx } from './cx.ts';
import { Kbd } from './kbd.tsx';

type Look = 'plain' | 'primary' | 'danger' | 'ghost';

const looks: Record<Look, string> = {
  plain: 'border border-line-strong bg-transparent hover:bg-hover',
  primary: 'border border-text bg-text text-bg font-medium hover:opacity-90',
  danger: 'border border-fail/55 text-fail hover:bg-fail-bg',
  ghost: 'border border-transparent text-dim hover:text-text hover:bg-hover',
};

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  ref?: Ref<HTMLButtonElement>;
  look?: Look;
  /** The key that does the same. */
  hint?: string;
  icon?: ReactNode;
}

export function Button({ look = 'plain', hint, icon, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={cx(
        'inline-flex h-7 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-md px-2.5 text-base transition-colors duration-100',
        'disabled:cursor-not-allowed disabled:opacity-50 max-md:h-9',
        looks[look],
        className,
      )}
      {...(hint === undefined ? {} : { 'aria-keyshortcuts': hint })}
      {...rest}
    >
      {icon}
      {children}
      {hint === undefined ? null : <Kbd bare={look === 'primary'}>{hint}</Kbd>}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string;
}

export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cx(
        'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-dim transition-colors duration-100 hover:bg-hover hover:text-text disabled:opacity-50 max-md:size-9',
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
