import type { InputHTMLAttributes, ReactNode, TextareaHTMLAttributes } from 'react';
import { cx } from './cx.ts';

const look = 'w-full rounded-md border border-line-strong bg-code px-2.5 placeholder:text-faint';

/** A name above a field, and what is to be known about it below. */
export function Labelled({ label, note, children }: { label: string; note?: string; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the field is what is given as its content */}
      <label className="grid gap-1">
        <span className="text-dim text-small">{label}</span>
        {children}
      </label>
      {note === undefined ? null : <p className="text-faint text-small">{note}</p>}
    </div>
  );
}

export const TextField = ({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) => (
  <input className={cx(look, 'h-8 max-md:h-9', className)} {...rest} />
);

export const TextArea = ({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <textarea className={cx(look, 'resize-y py-1.5', className)} {...rest} />
);
