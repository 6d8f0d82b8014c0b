import { count, type PathGroup, type PathLists, visible } from '@told';
import { useState } from 'react';

interface PathListProps {
  lists: PathLists;
  /** Every one of them, for whoever wants to see them all. */
  all?: readonly string[];
  /** How many folders are shown before that. */
  few?: number;
}

/** The paths that something touches: those outside of the workspace first, and called so. */
export function PathList({ lists, all, few = 8 }: PathListProps) {
  const [open, setOpen] = useState(false);
  const { outside, inside } = lists;
  const shown = [...outside, ...inside].reduce((sum, group) => sum + group.count, 0);
  const isCut = outside.length > few || inside.length > few || outside.length + inside.length < shown;
  if (open && all !== undefined)
    return (
      <>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <ul tabIndex={0} className="mono mt-1 max-h-48 overflow-auto text-dim">
          {all.map((path) => (
            <li key={path} className="[overflow-wrap:anywhere]">
              {visible(path)}
            </li>
          ))}
        </ul>
        <More text="show folders" onClick={() => setOpen(false)} />
      </>
    );
  return (
    <>
      {outside.length === 0 ? null : (
        <Group title="Outside the workspace" groups={outside.slice(0, few)} strong />
      )}
      {inside.length === 0 ? null : (
        <Group title={outside.length === 0 ? null : 'In the workspace'} groups={inside.slice(0, few)} />
      )}
      {isCut && all !== undefined ? (
        <More text={`show all ${count(all.length, 'path')}`} onClick={() => setOpen(true)} />
      ) : null}
    </>
  );
}

function Group({
  title,
  groups,
  strong = false,
}: {
  title: string | null;
  groups: readonly PathGroup[];
  strong?: boolean;
}) {
  const isCounted = groups.some((group) => group.count > 1);
  return (
    <section className="mt-1">
      {title === null ? null : <p className={strong ? 'font-medium text-fail' : 'text-faint'}>{title}</p>}
      <ul className="mono max-h-48 overflow-auto text-dim">
        {groups.map(({ folder, count: n }) => (
          <li key={folder} className="flex gap-2">
            {isCounted ? <b className="w-10 shrink-0 text-right font-medium text-text">{n}</b> : null}
            <span className="min-w-0 [overflow-wrap:anywhere]">{visible(folder)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function More({ text, onClick }: { text: string; onClick(): void }) {
  return (
    <button type="button" className="mono text-faint hover:text-text" onClick={onClick}>
      {text}
    </button>
  );
}
