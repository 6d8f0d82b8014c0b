import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { attempt } from '../../api/ask.ts';
import { client, queries } from '../../api/client.ts';
import { useConfig } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton, Trouble } from '../../ui/notice.tsx';

export function TrustPage() {
  const { data, error, refetch } = useQuery({ queryKey: ['trust'], queryFn: () => client.getTrust() });
  const workspace = useConfig().data?.workspace ?? '';
  const [folder, setFolder] = useState<string | null>(null);
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={4} />;
  const change = async (which: string, trusted: boolean) => {
    const changed = await attempt(() => client.changeTrust({ folder: which, trusted }));
    if (changed === null) return;
    queries.setQueryData(['trust'], changed);
    void queries.invalidateQueries({ queryKey: ['config'] });
  };
  const named = folder ?? workspace;
  return (
    <div className="p-4">
      <p className="mb-2 text-dim">
        Until you trust a folder, its configuration sets no model addresses, keys, allow rules or sandbox
        policy.
      </p>
      <ul>
        {data.folders.map((each) => (
          <li key={each} className="flex min-h-9 items-center gap-3 border-b">
            <code className="mono min-w-0 flex-1 truncate">{each}</code>
            <Button onClick={() => void change(each, false)}>Trust no longer</Button>
          </li>
        ))}
      </ul>
      <form
        className="mt-3 flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void change(named, true);
        }}
      >
        <input
          aria-label="Folder to trust"
          value={named}
          onChange={(event) => setFolder(event.target.value)}
          className="mono h-7 min-w-0 flex-1 rounded-md border border-line-strong bg-bg px-2 max-md:h-9"
        />
        <Button type="submit" disabled={!named.startsWith('/') || data.folders.includes(named)}>
          Trust this folder
        </Button>
      </form>
    </div>
  );
}
