import { create } from 'zustand';

export type Theme = 'system' | 'dark' | 'light';

/** What is this browser's alone: how it looks, and what is open. */
interface Look {
  theme: Theme;
  notify: boolean;
  follow: boolean;
  wrap: boolean;
  open: 'palette' | 'settings' | 'help' | 'services' | null;
  /** What is asked about the run in view. */
  dialog: 'undo' | 'cancel' | 'inputs' | null;
  /** Which page of the settings. */
  page: string;
}

const storageKey = 'planwright.look';
type Kept = Pick<Look, 'theme' | 'notify' | 'follow' | 'wrap'>;
/** Lines wrap where there is little room. */
const narrow = matchMedia('(max-width: 767px)').matches;
const usual: Kept = { theme: 'system', notify: false, follow: true, wrap: narrow };

function kept(): Kept {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<Kept>) };
  } catch {
    return usual;
  }
}

export const useLook = create<Look>(() => ({ ...kept(), open: null, dialog: null, page: 'general' }));

useLook.subscribe(({ theme, notify, follow, wrap }) => {
  try {
    localStorage.setItem(storageKey, JSON.stringify({ theme, notify, follow, wrap }));
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
