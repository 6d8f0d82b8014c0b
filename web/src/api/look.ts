import { create } from 'zustand';

import type { Editor } from '../model/output-links.ts';

export type Theme = 'system' | 'dark' | 'light';

/** What can be asked about a run in a dialog. */
type Asked = 'undo' | 'cancel' | 'inputs';

/** What is this browser's alone: how it looks, and what is open. */
interface Look {
  theme: Theme;
  notify: boolean;
  follow: boolean;
  wrap: boolean;
  /** The question of a run is folded away to a line. */
  folded: boolean;
  /** How wide the spine is, in pixels; null: as wide as fits. */
  spine: number | null;
  /** What opens a file that output names. */
  editor: Editor;
  open: 'palette' | 'settings' | 'help' | 'services' | null;
  /** What is asked about a run: about this one, whichever comes into view. */
  dialog: { what: Asked; of: string } | null;
  /** Which page of the settings. */
  page: string;
}

const storageKey = 'planwright.look';
const keptKeys = ['theme', 'notify', 'follow', 'wrap', 'folded', 'spine', 'editor'] as const;
type Kept = Pick<Look, (typeof keptKeys)[number]>;
/** Lines wrap where there is little room. */
const narrow = matchMedia('(max-width: 767px)').matches;
const usual: Kept = {
  theme: 'system',
  notify: false,
  follow: true,
  wrap: narrow,
  folded: false,
  spine: null,
  editor: 'copy',
};

function kept(): Kept {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<Kept>) };
  } catch {
    return usual;
  }
}

export const useLook = create<Look>(() => ({ ...kept(), open: null, dialog: null, page: 'general' }));

useLook.subscribe((look) => {
  try {
    const kept = Object.fromEntries(keptKeys.map((key) => [key, look[key]]));
    localStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing still shows everything.
  }
});

const light = matchMedia('(prefers-color-scheme: light)');
const applyTheme = () => {
  const { theme } = useLook.getState();
  document.documentElement.dataset['theme'] = theme === 'system' ? (light.matches ? 'light' : 'dark') : theme;
};
useLook.subscribe(applyTheme);
light.addEventListener('change', applyTheme);
applyTheme();

export const setLook = (change: Partial<Look>): void => useLook.setState(change);
export const askAbout = (run: string, what: Asked): void => setLook({ dialog: { what, of: run } });
export const unask = (): void => setLook({ dialog: null });
