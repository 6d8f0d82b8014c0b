import { ToggleGroup } from 'radix-ui';
import { cx } from './cx.ts';

interface Choice<V extends string> {
  value: V;
  label: string;
  title?: string;
  /** The machine acts here: the one place besides its changes where purple stands. */
  machine?: boolean;
}

interface SegmentedProps<V extends string> {
  label: string;
  value: V;
  choices: readonly Choice<V>[];
  /** Why it cannot be changed now. */
  locked?: string | null;
  onChange(value: V): void;
}

export function Segmented<V extends string>({
  label,
  value,
  choices,
  locked = null,
  onChange,
}: SegmentedProps<V>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      disabled={locked !== null}
      onValueChange={(next) => next !== '' && onChange(next as V)}
      className="flex w-max shrink-0 overflow-hidden rounded-md border border-line-strong"
      {...(locked === null ? {} : { title: locked })}
    >
      {choices.map(({ value: own, label: name, title, machine }) => (
        <ToggleGroup.Item
          key={own}
          value={own}
          title={locked ?? title}
          className={cx(
            'h-6.5 border-line border-r px-2.5 text-dim last:border-0 max-md:h-9',
            'enabled:hover:text-text disabled:cursor-not-allowed data-[state=on]:font-medium',
            machine
              ? 'data-[state=on]:bg-mind-bg data-[state=on]:text-mind'
              : 'data-[state=on]:bg-sel data-[state=on]:text-text',
            locked !== null && own !== value && 'opacity-60',
          )}
        >
          {name}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
