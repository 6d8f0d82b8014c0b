import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { attempt } from '../../api/ask.ts';
import { client, queries } from '../../api/client.ts';
import { failureShape } from '../../model/rules.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Skeleton, Trouble } from '../../ui/notice.tsx';

export function MemoryPage() {
  const [asked, setAsked] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({ queryKey: ['memory'], queryFn: () => client.getMemory() });
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={6} />;
  const forget = async (id: string) => {
    if ((await attempt(() => client.forget(id))) !== null)
      void queries.invalidateQueries({ queryKey: ['memory'] });
  };
  return (
    <div className="p-4">
      <p className="mb-2 text-dim">Fixes that worked before are tried first, without a model.</p>
      {data.fixes.length === 0 ? (
        <p className="text-faint">Nothing is remembered yet. A correction that works is.</p>
      ) : null}
      <ul>
        {data.fixes.map((fix) => (
          <li key={fix.id} className="flex items-start gap-3 border-b py-2">
            <div className="min-w-0 flex-1">
              <p className="whitespace-pre-line [overflow-wrap:anywhere]">{failureShape(fix.failure)}</p>
              <code className="mono text-mind [overflow-wrap:anywhere]">{fix.fix}</code>
            </div>
            <span className="num text-faint">
              <span className="text-done">{fix.successes} ✓</span> {fix.failures} ✗
            </span>
            {asked === fix.id ? (
              <Button look="danger" onClick={() => void forget(fix.id)}>
                Forget it for good
              </Button>
            ) : (
              <IconButton label={`Forget: ${failureShape(fix.failure)}`} onClick={() => setAsked(fix.id)}>
                <Trash2 size={14} />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
