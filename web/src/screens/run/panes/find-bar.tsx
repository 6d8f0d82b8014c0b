import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { Output } from '../../../api/use-output.ts';
import { IconButton } from '../../../ui/button.tsx';

interface FindBarProps {
  output: Output;
  onFound(found: { query: string; line: number | null }): void;
  onClose(): void;
}

export function FindBar({ output, onFound, onClose }: FindBarProps) {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const lines = useMemo(() => output.lines.find(query), [output, query]);
  const line = lines.length === 0 ? null : lines[at % lines.length]!;
  useEffect(() => onFound({ query, line }), [query, line, onFound]);
  const move = (by: number) =>
    setAt((now) => (lines.length === 0 ? 0 : (now + by + lines.length) % lines.length));
  return (
    <div className="flex h-9 shrink-0 items-center gap-2 border-b bg-bg px-4">
      <input
        // biome-ignore lint/a11y/noAutofocus: the bar is opened to type into it
        autoFocus
        aria-label="Search in the output"
        placeholder="Search in the output"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') move(event.shiftKey ? -1 : 1);
          if (event.key === 'Escape') onClose();
        }}
        className="mono min-w-0 flex-1 bg-transparent outline-none placeholder:text-faint"
      />
      <span role="status" className="num text-faint">
        {query === '' ? '' : lines.length === 0 ? 'none' : `${(at % lines.length) + 1} of ${lines.length}`}
      </span>
      <IconButton label="Previous" onClick={() => move(-1)}>
        <ChevronUp size={14} />
      </IconButton>
      <IconButton label="Next" onClick={() => move(1)}>
        <ChevronDown size={14} />
      </IconButton>
      <IconButton label="Close the search" onClick={onClose}>
        <X size={14} />
      </IconButton>
    </div>
  );
}
