import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { matches } from '../../model/match.ts';
import type { Dropped } from './plan-files.ts';

/** Plans that come with the program. Choosing one puts its text where it can be read and changed first. */
export function Gallery({ onChoose }: { onChoose(file: Dropped): void }) {
  const [query, setQuery] = useState('');
  const { data } = useQuery({
    queryKey: ['templates'],
    queryFn: () => client.listTemplates(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined || data.templates.length === 0) return null;
  const found = data.templates.filter(({ name, about }) => matches(`${name} ${about}`, query));
  return (
    <section aria-label="Templates" className="grid gap-2">
      <div className="flex items-center gap-3">
        <h2 className="font-semibold text-[14px]">Or begin with a template</h2>
        <input
          aria-label="Search templates"
          placeholder="Search templates"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="ml-auto h-7 w-48 rounded-md border bg-transparent px-2.5 placeholder:text-faint max-md:h-9"
        />
      </div>
      <ul className="grid grid-cols-2 gap-2 max-md:grid-cols-1">
        {found.map(({ name, about, text }) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => onChoose({ name: `${name}.yaml`, text, kind: 'plan' })}
              className="flex h-full w-full flex-col items-start rounded-md border px-3 py-2 text-left hover:border-line-strong hover:bg-hover"
            >
              <span className="mono">{name}</span>
              <span className="text-dim">{about}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p className="text-faint">No template is about that.</p> : null}
    </section>
  );
}
