interface PartFieldProps {
  /** The headings that have commands, as the server reads them. */
  parts: readonly string[];
  /** Empty: the whole page. */
  part: string;
  onChange(part: string): void;
}

/** Which part of a runbook is run. */
export function PartField({ parts, part, onChange }: PartFieldProps) {
  if (parts.length < 2 && part === '') return null;
  return (
    <label className="grid gap-1">
      <span className="text-faint text-small">Which part of the page</span>
      <select
        value={part}
        onChange={({ target }) => onChange(target.value)}
        className="h-8 min-w-0 rounded-md border bg-transparent px-1.5 max-md:h-9"
      >
        <option value="">All of it</option>
        {[...new Set([...parts, ...(part === '' ? [] : [part])])].map((heading) => (
          <option key={heading} value={heading}>
            {heading}
          </option>
        ))}
      </select>
    </label>
  );
}
