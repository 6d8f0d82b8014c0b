import type { Input } from '@contract';
import { shownInput } from '../../model/inputs.ts';

interface InputsFormProps {
  inputs: readonly Input[];
  typed: Readonly<Record<string, string>>;
  onChange(typed: Record<string, string>): void;
}

/** A field for each value that the plan asks its person for. */
export function InputsForm({ inputs, typed, onChange }: InputsFormProps) {
  if (inputs.length === 0) return null;
  return (
    <fieldset className="grid gap-2.5 rounded-md border px-3.5 py-3">
      <legend className="px-1 text-faint text-small">Inputs</legend>
      {inputs.map((input) => (
        <label
          key={input.name}
          className="grid grid-cols-[minmax(0,200px)_minmax(0,1fr)] items-baseline gap-x-3 max-md:grid-cols-1"
        >
          <span className="min-w-0">
            <span className="mono">{input.name}</span>
            {input.default === undefined ? <span className="text-wait"> needed</span> : null}
            {input.description === undefined ? null : (
              <span className="block text-faint text-small leading-5">{input.description}</span>
            )}
          </span>
          <input
            type={input.secret === true ? 'password' : 'text'}
            autoComplete="off"
            spellCheck={false}
            value={shownInput(input, typed)}
            onChange={(event) => onChange({ ...typed, [input.name]: event.target.value })}
            className="mono h-8 rounded-md border border-line-strong bg-transparent px-2.5 max-md:h-9"
          />
        </label>
      ))}
    </fieldset>
  );
}
