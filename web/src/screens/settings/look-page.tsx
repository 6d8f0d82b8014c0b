import { setLook, type Theme, useLook } from '../../api/look.ts';
import { askToNotify } from '../../shell/notify.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';

/** Kept in this browser alone. */
export function LookPage() {
  const { theme, notify } = useLook();
  return (
    <div className="px-4">
      <div className="flex items-center justify-between border-b py-3">
        <span>Theme</span>
        <Segmented<Theme>
          label="Theme"
          value={theme}
          choices={[
            { value: 'system', label: 'As the system' },
            { value: 'dark', label: 'Dark' },
            { value: 'light', label: 'Light' },
          ]}
          onChange={(next) => setLook({ theme: next })}
        />
      </div>
      <div className="flex items-center justify-between py-3">
        <span>Notify me when something waits or ends and this page is hidden</span>
        <Button onClick={() => void askToNotify()}>{notify ? 'Turn off' : 'Turn on'}</Button>
      </div>
    </div>
  );
}
