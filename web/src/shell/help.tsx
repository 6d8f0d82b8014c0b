import { setLook } from '../api/look.ts';
import { Dialog } from '../ui/dialog.tsx';
import { shortcuts } from './shortcuts.ts';

export function Help() {
  return (
    <Dialog open onOpenChange={() => setLook({ open: null })} title="Keys">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div tabIndex={0} className="grid gap-5 overflow-auto p-4">
        {shortcuts.map(({ group, keys }) => (
          <section key={group}>
            <h3 className="mb-1 font-medium text-dim">{group}</h3>
            <dl>
              {keys.map(([key, does]) => (
                <div key={key} className="flex h-8 items-center justify-between border-b last:border-0">
                  <dd>{does}</dd>
                  <dt>
                    <kbd className="rounded-sm border border-line-strong px-1.5 font-mono text-[11px] leading-4 text-dim">
                      {key}
                    </kbd>
                  </dt>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
