import type { ConfigField, ConfigKey } from '@contract';
import { useEffect, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { type ConfigValue, readValue, unsetWord } from './config-field.ts';

interface FieldProps {
  name: ConfigKey;
  field: ConfigField;
  value: ConfigValue;
  source: string;
  disabled: boolean;
  /** Why the server did not take it; null where it did. */
  refused: string | null;
  onChange(value: ConfigValue): void;
  onReset(): void;
}

/** Settings by the words of a person; the key is what files and flags call them. */
const words: Record<ConfigKey, string> = {
  mode: 'Default mode',
  shell: 'Shell of plans',
  'on-failure': 'When a step fails',
  'on-ask': 'When nobody is there to ask',
  'on-interrupt': 'When a step was interrupted',
  'step-timeout': 'Longest a step may take',
  concurrency: 'Runs at a time',
  'runs.most': 'Runs at the same time, over all machines',
  lease: 'When a silent process is given up',
  'source.protocols': 'Ways to git sources',
  'agents.most': 'Agents at the same time',
  'clients.decide': 'Clients through which you decide',
  'kill-grace': 'Grace before a process is killed',
  'keep.days': 'Keep finished runs, days',
  'keep.runs': 'Keep finished runs, at least',
  sandbox: 'Sandbox',
  'limits.wall-time': 'Working time of a run',
  'limits.retries': 'Attempts after the first',
  'limits.corrections': 'Corrections',
  'limits.added-steps': 'Added steps',
  'limits.money': 'Money',
  'limits.tokens': 'Tokens without a price',
  'limits.drafts': 'Drafts of a plan',
  checkpoints: 'Checkpoints',
  'brain-program': 'A brain of your own',
  'brain-timeout': 'How long it may think',
  'models.url': 'Address of a model server',
  'models.timeout': 'How long a model may take',
  'models.prices': 'Prices of your own',
  'models.recording': 'Record and replay',
  'models.explain': 'Explanations in words',
  'planner.name': 'Name of the planner',
  'planner.backstory': 'What the planner is told of itself',
  'models.planner': 'Planner',
  'models.brain': 'Brain',
  'models.fast': 'Fast',
  'models.chat': 'Chat',
};

const sources: Record<string, string> = {
  flag: 'set by a flag of planwright serve',
  environment: 'set by an environment variable',
  workspace: "set by the workspace's file",
  user: 'set by you',
  default: '',
};

export function Field({ name, field, value, source, disabled, refused, onChange, onReset }: FieldProps) {
  const id = useId();
  const { about, choices, number } = field;
  const [text, setText] = useState(value === null ? '' : String(value));
  const [problem, setProblem] = useState<string | null>(null);
  const wrong = problem ?? refused;
  useEffect(() => setText(value === null ? '' : String(value)), [value]);
  const commit = (given: string) => {
    const read = readValue(given, field);
    setProblem('problem' in read ? read.problem : null);
    if ('value' in read && read.value !== value) onChange(read.value);
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-b py-2.5 last:border-0">
      <div className="min-w-56 flex-1">
        <label htmlFor={id} className="flex items-baseline gap-2">
          {words[name]} <span className="mono text-[11px] text-faint">{name}</span>
        </label>
        <p className="text-faint text-small leading-5">
          {about}
          {sources[source] ? <span className="text-dim"> · {sources[source]}</span> : null}
        </p>
        {wrong === null ? null : (
          <p role="alert" className="text-fail">
            {wrong}. It stays {value === null ? 'unset' : String(value)}.
          </p>
        )}
      </div>
      <div className="flex items-center gap-2">
        {source === 'user' ? (
          <Button look="ghost" onClick={onReset}>
            Reset
          </Button>
        ) : null}
        {choices === null ? (
          <input
            id={id}
            value={text}
            disabled={disabled}
            placeholder={unsetWord(about)}
            inputMode={number === null ? 'text' : 'decimal'}
            aria-invalid={wrong !== null}
            onChange={(event) => setText(event.target.value)}
            onBlur={() => commit(text)}
            onKeyDown={(event) => event.key === 'Enter' && commit(text)}
            className={`mono h-7 rounded-md border border-line-strong bg-bg px-2 placeholder:text-faint disabled:opacity-60 max-md:h-9 ${number === null ? 'w-72 max-w-full' : 'w-28 text-right'}`}
          />
        ) : (
          <Segmented
            label={name}
            value={String(value)}
            choices={choices.map((choice) => ({
              value: choice,
              label: choice,
              machine: choice === 'agentic',
            }))}
            locked={disabled ? (sources[source] ?? '') : null}
            onChange={commit}
          />
        )}
      </div>
    </div>
  );
}
