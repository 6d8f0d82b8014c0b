import { ApiError, type ConfigKey, type ConfigView } from '@contract';
import { capital } from '@told';
import { useState } from 'react';
import { client, queries } from '../../api/client.ts';
import { useConfig } from '../../api/queries.ts';
import { Skeleton, Trouble } from '../../ui/notice.tsx';
import { type ConfigValue, pageOf, type SettingsPage } from './config-field.ts';
import { Field } from './field.tsx';

/** Settings of the user's file. What a stronger source says is shown, and cannot be changed here. */
export function ConfigPage({ page }: { page: SettingsPage }) {
  const { data, error, refetch } = useConfig();
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={6} />;
  const shown = (Object.keys(data.fields) as ConfigKey[]).filter((key) => pageOf(key) === page);
  return (
    <div className="px-4 pb-4">
      {data.untrusted === null ? null : (
        <p className="mt-3 rounded-md border border-wait/40 bg-wait-bg px-3 py-2">
          <code className="mono">{data.untrusted}</code> is not used until you trust its folder (see Trust).
        </p>
      )}
      {shown.map((key) => (
        <Setting key={key} name={key} view={data} />
      ))}
    </div>
  );
}

function Setting({ name, view }: { name: ConfigKey; view: ConfigView }) {
  const source = view.sources[name];
  const [refused, setRefused] = useState<string | null>(null);
  const change = async (body: Parameters<typeof client.changeConfig>[0]) => {
    try {
      // What is set holds at once, for what is shown beside it too.
      queries.setQueryData(['config'], await client.changeConfig(body));
      setRefused(null);
      void queries.invalidateQueries({ queryKey: ['models'] });
    } catch (error) {
      setRefused(error instanceof ApiError ? capital(error.message) : String(error));
    }
  };
  return (
    <Field
      name={name}
      field={view.fields[name]}
      value={view.values[name] as ConfigValue}
      source={source}
      disabled={source === 'flag' || source === 'environment' || source === 'workspace'}
      refused={refused}
      onChange={(next) => void change({ set: { [name]: next } })}
      onReset={() => void change({ unset: [name] })}
    />
  );
}
