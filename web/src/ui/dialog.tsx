import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';

interface DialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description?: string;
  wide?: boolean;
  children: ReactNode;
}

export function Dialog({ open, onOpenChange, title, description, wide = false, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="motion-fade fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          className={cx(
            'motion-rise fixed z-50 flex flex-col bg-raised shadow-overlay',
            'top-[8vh] left-1/2 max-h-[84vh] w-[calc(100vw-32px)] -translate-x-1/2 rounded-[8px]',
            'max-md:inset-0 max-md:top-0 max-md:left-0 max-md:max-h-none max-md:w-full max-md:translate-x-0 max-md:rounded-none',
            wide ? 'max-w-[880px]' : 'max-w-[560px]',
          )}
          onOpenAutoFocus={(event) => {
            const first = (event.currentTarget as HTMLElement).querySelector<HTMLElement>(
              '[aria-current=page], input, textarea',
            );
            if (first === null) return;
            event.preventDefault();
            first.focus();
          }}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className="flex h-11 shrink-0 items-center justify-between border-b pr-2 pl-4">
            <Radix.Title className="font-semibold text-[14px]">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close">
                <X size={15} />
              </IconButton>
            </Radix.Close>
          </header>
          {description === undefined ? null : (
            <Radix.Description className="border-b px-4 py-2 text-dim">{description}</Radix.Description>
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
