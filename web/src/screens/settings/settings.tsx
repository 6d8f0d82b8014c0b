import { setLook, useLook } from '../../api/look.ts';
import { Needs } from '../../shell/needs.tsx';
import { cx } from '../../ui/cx.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ConfigPage } from './config-page.tsx';
import { LookPage } from './look-page.tsx';
import { MemoryPage } from './memory-page.tsx';
import { ModelsPage } from './models-page.tsx';
import { RulesPage } from './rules-page.tsx';
import { TrustPage } from './trust-page.tsx';

const pages = [
  { id: 'general', label: 'General' },
  { id: 'models', label: 'Models' },
  { id: 'limits', label: 'Limits' },
  { id: 'safety', label: 'Safety' },
  { id: 'rules', label: 'Rules' },
  { id: 'memory', label: 'Memory' },
  { id: 'trust', label: 'Trust' },
  { id: 'look', label: 'Look' },
] as const;

export function Settings() {
  const page = useLook((look) => look.page);
  const current = pages.find(({ id }) => id === page)?.id ?? 'general';
  return (
    <Dialog open wide onOpenChange={() => setLook({ open: null })} title="Settings">
      <div className="grid min-h-0 flex-1 grid-cols-[152px_minmax(0,1fr)] max-md:grid-cols-1 max-md:grid-rows-[auto_minmax(0,1fr)]">
        <nav
          aria-label="Settings"
          className="flex flex-col gap-px border-r p-2 max-md:flex-row max-md:overflow-x-auto max-md:border-r-0 max-md:border-b"
        >
          {pages.map(({ id, label }) => (
            <button
              key={id}
              type="button"
              aria-current={id === current ? 'page' : undefined}
              onClick={() => setLook({ page: id })}
              className={cx(
                'h-7 shrink-0 rounded-md px-2 text-left max-md:h-9',
                id === current ? 'bg-sel' : 'text-dim hover:bg-hover hover:text-text',
              )}
            >
              {label}
            </button>
          ))}
        </nav>
        <div className="h-[60vh] min-h-0 overflow-auto max-md:h-auto">
          {current === 'look' ? null : (
            <Needs scope="decide">
              {current === 'general' ? <ConfigPage page="general" /> : null}
              {current === 'limits' ? <ConfigPage page="limits" /> : null}
              {current === 'safety' ? <ConfigPage page="safety" /> : null}
              {current === 'models' ? <ModelsPage /> : null}
              {current === 'rules' ? <RulesPage /> : null}
              {current === 'memory' ? <MemoryPage /> : null}
              {current === 'trust' ? <TrustPage /> : null}
            </Needs>
          )}
          {current === 'look' ? <LookPage /> : null}
        </div>
      </div>
    </Dialog>
  );
}
