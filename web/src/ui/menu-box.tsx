import { DropdownMenu } from 'radix-ui';
import { Kbd } from './kbd.tsx';
import type { MenuProps } from './menu-item.ts';

/** The menu itself, open from its first moment: it is fetched when somebody wants it. */
export function MenuBox({ trigger, items }: MenuProps) {
  const hasIcons = items.some((item) => item?.icon !== undefined);
  return (
    <DropdownMenu.Root defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="motion-fade z-50 min-w-52 rounded-md bg-raised p-1 shadow-overlay"
        >
          {items.map((item, at) =>
            item === null ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: separators have nothing else to go by
              <DropdownMenu.Separator key={at} className="my-1 h-px bg-line" />
            ) : (
              <DropdownMenu.Item
                key={item.label}
                disabled={item.disabled === true}
                onSelect={item.onSelect}
                className={`flex h-8 cursor-pointer items-center gap-2 rounded-sm px-2 outline-none data-disabled:cursor-not-allowed data-highlighted:bg-sel data-disabled:opacity-50 ${item.danger ? 'text-fail' : ''}`}
              >
                {hasIcons ? <span className="flex w-4 justify-center text-dim">{item.icon}</span> : null}
                <span className="flex-1">{item.label}</span>
                {item.hint === undefined ? null : <Kbd>{item.hint}</Kbd>}
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
