import type { TypedFolder } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { capital } from '@told';
import { useDeferredValue, useId } from 'react';
import { client } from '../../api/client.ts';
import { useRuns } from '../../api/queries.ts';
import { cx } from '../../ui/cx.ts';

/** Which folder the typed path is. Undefined until the server has said so. */
export function useTypedFolder(text: string): TypedFolder | undefined {
  const path = useDeferredValue(text);
  const { data } = useQuery({
    queryKey: ['folder', path],
    queryFn: () => client.typedFolder({ path }),
    staleTime: 2000,
  });
  return path === text ? data : undefined;
}

interface WorkspaceFieldProps {
  text: string;
  typed: TypedFolder | undefined;
  /** The folder that is proposed is still asked for: it would land in the middle of what is typed. */
  pending: boolean;
  /** What works in it. */
  whose?: string;
  onChange(text: string): void;
}

/** The folder as it is typed, and which one that is. Folders of earlier runs and those that it may become are offered. */
export function WorkspaceField({ text, typed, pending, whose = 'the run', onChange }: WorkspaceFieldProps) {
  const list = useId();
  const said = useId();
  const runs = useRuns({}).data?.pages[0]?.runs ?? [];
  const recent = [...new Set(runs.map(({ workspace }) => workspace))].slice(0, 12);
  const offered = [...new Set([...(typed?.like ?? []), ...recent])];
  const bad = typed !== undefined && typed.folder === null;
  return (
    <div className="grid gap-1">
      <label className="grid gap-1">
        <span className="text-faint text-small">Workspace: the folder that {whose} may touch</span>
        <input
          value={text}
          list={list}
          disabled={pending}
          spellCheck={false}
          aria-invalid={bad}
          aria-describedby={said}
          onChange={(event) => onChange(event.target.value)}
          className={cx(
            'mono h-8 rounded-md border bg-transparent px-2.5 focus:border-line-strong max-md:h-9',
            bad && 'border-fail',
          )}
        />
      </label>
      <datalist id={list}>
        {offered.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
      <p
        id={said}
        role={bad ? 'alert' : 'status'}
        className={cx('min-h-5', bad ? 'text-fail' : 'text-faint')}
      >
        {bad ? `${capital(typed.message ?? '')}.` : null}
        {typed?.folder != null && typed.folder !== text ? (
          <>
            That is <span className="mono text-dim">{typed.folder}</span>
          </>
        ) : null}
      </p>
    </div>
  );
}
