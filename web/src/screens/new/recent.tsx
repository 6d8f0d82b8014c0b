import type { RunRow } from '@contract';
import { ago, visible } from '@told';
import { attempt, say } from '../../api/ask.ts';
import { client } from '../../api/client.ts';
import { useRuns } from '../../api/queries.ts';
import { lately } from '../../model/home.ts';
import { shortPath } from '../../model/paths.ts';
import type { Dropped } from './plan-files.ts';

/** Plans of earlier runs. Choosing one puts its text and its folder where they can be changed first. */
export function Recent({ onChoose }: { onChoose(file: Dropped, workspace: string): void }) {
  const rows = lately(useRuns({}).data?.pages[0]?.runs ?? []);
  if (rows.length === 0) return null;
  const choose = async ({ id, workspace }: RunRow) => {
    const file = await attempt(() => client.planFile(id));
    if (file === null) return;
    if (file.text === null) return say('It has no plan.', true);
    onChoose({ name: `${id}.plan.yaml`, text: file.text, kind: 'plan' }, workspace);
  };
  return (
    <section aria-label="Plans that ran lately" className="grid gap-1">
      <h2 className="font-semibold text-[14px]">Or with a plan that ran lately</h2>
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <button
              type="button"
              onClick={() => void choose(row)}
              className="grid h-8 w-full grid-cols-[minmax(0,1fr)_minmax(0,auto)_auto] items-center gap-3 rounded-md px-2 text-left hover:bg-hover max-md:h-9"
            >
              <span className="truncate">{visible(row.goal)}</span>
              <span className="mono truncate text-faint">{visible(shortPath(row.workspace, 1))}</span>
              <span className="text-faint">{ago(row.updatedAt, Date.now())}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
