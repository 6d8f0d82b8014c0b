import { setLook, type Theme, useLook } from '../../api/look.ts';
import { type Editor, editors } from '../../model/output-links.ts';
import { askToNotify } from '../../shell/notify.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';

const editorNames: Record<Editor, string> = {
  copy: 'Copy it',
  vscode: 'VS Code',
  cursor: 'Cursor',
  zed: 'Zed',
  idea: 'IntelliJ',
};

/** Kept in this browser alone. */
export function LookPage() {
  const { theme, notify, editor } = useLook();
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
      <div className="flex flex-wrap items-center justify-between gap-2 border-b py-3">
        <span>A file that output names, as in src/a.ts:12</span>
        <Segmented<Editor>
          label="Editor"
          value={editor}
          choices={(Object.keys(editors) as Editor[]).map((value) => ({ value, label: editorNames[value] }))}
          onChange={(next) => setLook({ editor: next })}
        />
      </div>
      <div className="flex items-center justify-between py-3">
        <span>Notify me when something waits or ends and this page is hidden</span>
        <Button onClick={() => void askToNotify()}>{notify ? 'Turn off' : 'Turn on'}</Button>
      </div>
    </div>
  );
}
