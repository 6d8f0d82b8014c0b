import type { RunLink } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { rowSentence } from '@told';
import { client } from '../../api/client.ts';
import { useNow } from '../../ui/use-now.ts';

const words: Record<RunLink['how'], string> = {
  undoes: 'Undoes',
  'undone-by': 'Undone by',
  forks: 'Forked from',
  'forked-to': 'Forked to',
  repeats: 'Again after',
  'repeated-by': 'Run again as',
};

/** Where the run comes from, and what came of it. */
export function Links({ id }: { id: string }) {
  const { data } = useQuery({ queryKey: ['related', id], queryFn: () => client.relatedRuns(id) });
  const now = useNow(true, 30_000);
  const links = data?.links ?? [];
  if (links.length === 0) return null;
  return (
    <ul aria-label="Related runs" className="flex flex-wrap gap-x-4 border-b px-4 py-1 max-md:px-3">
      {links.slice(0, 6).map(({ how, row }) => (
        <li key={how + row.id} className="flex min-w-0 gap-1.5">
          <span className="shrink-0 text-faint">{words[how]}</span>
          <Link
            to="/runs/$id"
            params={{ id: row.id }}
            search={{}}
            className="max-w-72 truncate underline decoration-line-strong underline-offset-4 hover:decoration-current"
          >
            {row.goal}
          </Link>
          <span className="truncate text-faint">{rowSentence(row, now).text}</span>
        </li>
      ))}
    </ul>
  );
}
