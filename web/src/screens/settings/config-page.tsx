import { Config, type ConfigKey, type ConfigView, configKeys } from '@contract';
import { attempt } from '../../api/ask.ts';
import { client, queries } from '../../api/client.ts';
import { useConfig } from '../../api/queries.ts';
import { Skeleton, Trouble } from '../../ui/notice.tsx';
import {
  type ConfigValue,
  choicesOf,
  isNumeric,
  pageOf,
  problemOf,
  type SettingsPage,
} from './config-field.ts';
import { Field } from './field.tsx';

/** Settings of the user's file. What a stronger source says is shown, and cannot be changed here. */
export function ConfigPage({ page }: { page: SettingsPage }) {
  const { data, error, refetch } = useConfig();
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={6} />;
  const shown = configKeys.filter((key) => pageOf(key) === page);
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

/** What is set holds at once, for what is shown beside it too. */
function took(changed: ConfigView | null): void {
  if (changed === null) return;
  queries.setQueryData(['config'], changed);
  void queries.invalidateQueries({ queryKey: ['models'] });
}

function Setting({ name, view }: { name: ConfigKey; view: ConfigView }) {
  const value = view.values[name] as ConfigValue;
  const source = view.sources[name];
  const fixed = source === 'flag' || source === 'environment' || source === 'workspace';
  const change = async (next: ConfigValue) => {
    took(await attempt(() => client.changeConfig({ set: { [name]: next } })));
  };
  const reset = async () => {
    took(await attempt(() => client.changeConfig({ unset: [name] })));
  };
  return (
    <Field
      name={name}
      about={view.about[name] ?? ''}
      value={value}
      choices={choicesOf(Config.shape[name])}
      numeric={isNumeric(Config.shape[name])}
      source={source}
      disabled={fixed}
      problem={(next) => problemOf(Config.shape[name], next)}
      onChange={(next) => void change(next)}
      onReset={() => void reset()}
    />
  );
}
