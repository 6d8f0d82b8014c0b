import { parseDocument } from 'yaml';
import { Config, type ConfigKey, configKeys, PartialConfig } from '../../core/contract/index.ts';
import { nearest } from '../../core/plan/nearest.ts';
import { obeyed, rewrite } from './agreed.ts';
import { AppError } from './errors.ts';
import { type Env, type Places, workspaceConfig } from './places.ts';
import { isTrusted } from './trust.ts';

/** Where a setting's value comes from. */
export type ConfigSource = 'flag' | 'environment' | 'workspace' | 'user' | 'default';

export interface LoadedConfig {
  values: Config;
  sources: Record<ConfigKey, ConfigSource>;
  /** The workspace has a file that is not used as it is, because nobody has said that the folder is trusted, or not since. */
  untrusted: string | null;
}

export interface ConfigQuery {
  places: Places;
  env: Env;
  workspace: string;
  flags?: PartialConfig;
}

/** Who starts Planwright, or writes a workspace's file, is not to say these: they are the person's own. */
const ownOnly: readonly ConfigKey[] = ['clients.decide'];
const mayCome = (source: ConfigSource, key: ConfigKey): boolean =>
  source === 'user' || source === 'default' || !ownOnly.includes(key);

/** One value for each setting: flags, then environment, then the workspace's file (trusted), then the user's. */
export function loadConfig({ places, env, workspace, flags = {} }: ConfigQuery): LoadedConfig {
  const file = workspaceConfig(workspace);
  const theirs = obeyed(places, file, false);
  const trusted = isTrusted(places, workspace);
  const layers: [ConfigSource, PartialConfig][] = [
    ['flag', flags],
    ['environment', fromEnvironment(env)],
    ['workspace', trusted ? parseConfig(theirs.agreed ?? '', file) : {}],
    ['user', parseConfig(obeyed(places, places.userConfig).agreed ?? '', places.userConfig)],
    ['default', Config.parse({})],
  ];
  const values: Record<string, unknown> = {};
  const sources: Record<string, ConfigSource> = {};
  for (const key of configKeys) {
    const [source, layer] = layers.find(
      ([from, candidate]) => candidate[key] !== undefined && mayCome(from, key),
    )!;
    values[key] = layer[key];
    sources[key] = source;
  }
  return {
    values: Config.parse(values),
    sources: sources as Record<ConfigKey, ConfigSource>,
    untrusted: theirs.now !== null && !(trusted && theirs.isAsAgreed) ? file : null,
  };
}

const variableOf = (key: ConfigKey): string => `PLANWRIGHT_${key.toUpperCase().replaceAll(/[.-]/g, '_')}`;

function fromEnvironment(env: Env): PartialConfig {
  const given = configKeys.flatMap((key) => {
    const text = env[variableOf(key)];
    return text === undefined || text === '' ? [] : [[key, parseValue(key, text, variableOf(key))]];
  });
  return Object.fromEntries(given);
}

function parseConfig(text: string, file: string): PartialConfig {
  if (text.trim() === '') return {};
  const document = parseDocument(text, { prettyErrors: true });
  const broken = document.errors[0];
  if (broken !== undefined) throw invalid(`${file}: ${broken.message}`);
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  const parsed = PartialConfig.safeParse(withAliases(value ?? {}));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  if (issue.code === 'unrecognized_keys') throw unknownKey(issue.keys[0] ?? '', `${file}: `);
  throw invalid(`${file}: ${issue.path.join('.') || 'the file'}: ${issue.message}`);
}

/** `autoRollbackOnFailure: true` is another way to say `on-failure: rollback`, which is the stronger of both. */
function withAliases(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('autoRollbackOnFailure' in value)) return value;
  const { autoRollbackOnFailure: rolls, ...rest } = value;
  // Anything but yes or no stays, and is refused as a setting that there is not.
  if (typeof rolls !== 'boolean') return value;
  return rolls ? { 'on-failure': 'rollback', ...rest } : rest;
}

/** A value as typed on a command line or in a variable: JSON where it reads as such, text otherwise. */
function parseValue(key: ConfigKey, text: string, where: string): unknown {
  const candidates: unknown[] = [text];
  if (/^(null|true|false|-?\d+(\.\d+)?)$/.test(text)) candidates.unshift(JSON.parse(text));
  for (const candidate of candidates) {
    const parsed = Config.shape[key].safeParse(candidate);
    if (parsed.success) return parsed.data;
  }
  const issue = Config.shape[key].safeParse(candidates[0]).error?.issues[0];
  const value = JSON.stringify(text);
  const prefix = where === key ? '' : `${where}: `;
  if (issue?.code === 'invalid_value')
    throw invalid(`${prefix}${key} takes ${issue.values.join(', ')}, not ${value}`);
  throw invalid(`${prefix}${value} does not fit ${key}: ${issue?.message ?? ''}`);
}

export function checkKey(key: string): ConfigKey {
  if ((configKeys as string[]).includes(key)) return key as ConfigKey;
  throw unknownKey(key, '');
}

/** Writes one setting into the user's file, comments kept; `null` text takes it out. */
export async function setConfig(places: Places, key: ConfigKey, text: string | null): Promise<void> {
  const value = text === null ? null : parseValue(key, text, key);
  if (key === 'models.url') (await import('./keys.ts')).forgetHostKeys(places, 'compatible');
  await rewrite(places, places.userConfig, (before) => {
    parseConfig(before ?? '', places.userConfig);
    const document = parseDocument(before ?? '');
    if (text !== null) document.set(key, value);
    else if (document.has(key)) document.delete(key);
    const after = document.toString();
    return after === 'null\n' ? '' : after;
  });
}

const invalid = (message: string) => new AppError('config-invalid', message);

function unknownKey(key: string, where: string): AppError {
  const near = nearest(key, configKeys);
  return invalid(
    `${where}there is no setting ${JSON.stringify(key)}${near ? `; did you mean ${near}?` : ''}`,
  );
}
