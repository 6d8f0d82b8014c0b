import { needsPerson, type ProjectView, type TaskRow, taskKindWords } from '@tasks';
import { capital } from '@told';
import { Plus, Search, Settings2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { BoardSearch } from '../../addresses.ts';
import { useKeys } from '../../shell/keys.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { ProjectForm } from './project-form.tsx';

interface BoardHeaderProps {
  search: BoardSearch;
  go(change: BoardSearch): void;
  projects: readonly ProjectView[];
  rows: readonly TaskRow[];
  onNew(): void;
}

export function BoardHeader({ search, go, projects, rows, onNew }: BoardHeaderProps) {
  const [text, setText] = useState(search.q ?? '');
  const [editing, setEditing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => field.current?.focus() });
  // Whoever shows all tasks empties the field too.
  useEffect(() => setText(search.q ?? ''), [search.q]);
  const waiting = rows.filter(needsPerson).length;
  const project = projects.find(({ row }) => row.id === search.project);
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 border-b px-4 py-2 max-md:px-3">
      <h1 className="font-semibold text-title max-md:flex-1">Tasks</h1>
      <button
        type="button"
        aria-pressed={search.mine === true}
        onClick={() => go({ mine: search.mine === true ? undefined : true })}
        className={cx(
          'h-7 shrink-0 rounded-md px-2.5 max-md:order-2 max-md:h-9 max-md:px-1',
          search.mine ? 'bg-sel text-text' : 'text-dim hover:bg-hover hover:text-text',
        )}
      >
        Needs me <span className={cx('num ml-1', waiting > 0 ? 'text-wait' : 'text-faint')}>{waiting}</span>
      </button>
      <span className="max-md:order-2">
        <Segmented<'all' | 'feature' | 'bug'>
          label="Which kind"
          value={search.kind ?? 'all'}
          choices={[
            { value: 'all', label: 'All' },
            { value: 'feature', label: capital(`${taskKindWords.feature}s`) },
            { value: 'bug', label: capital(`${taskKindWords.bug}s`) },
          ]}
          onChange={(kind) => go({ kind: kind === 'all' ? undefined : kind })}
        />
      </span>
      {projects.length === 0 ? null : (
        <div className="flex items-center gap-1 max-md:order-3">
          <select
            aria-label="Which project"
            value={search.project ?? ''}
            onChange={({ target }) => go({ project: target.value === '' ? undefined : target.value })}
            className="h-7 max-w-44 rounded-md border bg-transparent px-1.5 text-dim hover:text-text max-md:h-9"
          >
            <option value="">All projects</option>
            {projects.map(({ row }) => (
              <option key={row.id} value={row.id}>
                {row.name}
              </option>
            ))}
          </select>
          {project === undefined ? null : (
            <IconButton label={`Settings of ${project.row.name}`} onClick={() => setEditing(true)}>
              <Settings2 size={15} />
            </IconButton>
          )}
          <IconButton label="New project" onClick={() => go({ new: 'project' })}>
            <Plus size={15} />
          </IconButton>
        </div>
      )}
      <label className="ml-auto flex h-7 w-52 items-center gap-2 rounded-md border px-2 focus-within:border-line-strong focus-within:outline-2 focus-within:outline-text max-lg:w-36 max-md:order-4 max-md:h-9 max-md:w-full">
        <Search size={14} className="shrink-0 text-faint" />
        <input
          ref={field}
          aria-label="Search tasks"
          placeholder="Search titles"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            go({ q: target.value.trim() === '' ? undefined : target.value });
          }}
          className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-faint"
        />
      </label>
      <Button look="primary" hint="n" onClick={onNew} icon={<Plus size={14} />} className="max-md:order-1">
        {projects.length === 0 ? 'New project' : 'New task'}
      </Button>
      {editing && project !== undefined ? (
        <ProjectForm project={project} onClose={() => setEditing(false)} />
      ) : null}
    </header>
  );
}
