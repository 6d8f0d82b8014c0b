import { headingsOf } from '../../model/markdown.ts';

interface PartFieldProps {
  text: string;
  /** Empty: the whole page. */
  part: string;
  onChange(part: string): void;
}

/** Which part of a runbook is run. */
export function PartField({ text, part, onChange }: PartFieldProps) {
  const headings = headingsOf(text);
  if (headings.length < 2 && part === '') return null;
  return (
    <label className="grid gap-1">
      <span className="text-faint text-small">Which part of the page</span>
      <select
        value={part}
        onChange={({ target }) => onChange(target.value)}
        className="h-8 min-w-0 rounded-md border bg-transparent px-1.5 max-md:h-9"
      >
        <option value="">All of it</option>
        {[...new Set([...headings, ...(part === '' ? [] : [part])])].map((heading) => (
          <option key={heading} value={heading}>
            {heading}
          </option>
        ))}
      </select>
    </label>
  );
}
