export type ConfigValue = string | number | boolean | null;

interface Schema {
  def?: { type?: string; innerType?: Schema; entries?: Record<string, string> };
}

function innermost(schema: unknown): Schema['def'] {
  let inner = schema as Schema | undefined;
  while (inner?.def?.innerType !== undefined) inner = inner.def.innerType;
  return inner?.def;
}

/** The values that a setting takes, where it takes only some. */
export function choicesOf(schema: unknown): string[] | null {
  const def = innermost(schema);
  return def?.type === 'enum' ? Object.values(def.entries ?? {}) : null;
}

export const isNumeric = (schema: unknown): boolean => innermost(schema)?.type === 'number';

export type SettingsPage = 'general' | 'models' | 'limits' | 'safety';

/** Every setting has its page: one that nobody has thought of is general. */
export function pageOf(key: string): SettingsPage {
  if (key.startsWith('limits.')) return 'limits';
  if (/^(models|planner)\.|^brain-/.test(key)) return 'models';
  return key === 'sandbox' || key === 'checkpoints' ? 'safety' : 'general';
}

/** Why a setting cannot have this value, as a sentence; null where it can. */
export function problemOf(
  schema: {
    safeParse(value: unknown): { success: boolean; error?: { issues: { message: string }[] } | undefined };
  },
  value: ConfigValue,
): string | null {
  const read = schema.safeParse(value);
  return read.success ? null : (read.error?.issues[0]?.message ?? 'that is no value for it');
}

/** What a person typed, as a value like the one that is there; undefined where it is none. */
export function readValue(text: string, before: ConfigValue, numeric: boolean): ConfigValue | undefined {
  const given = text.trim();
  if (given === '') return null;
  if (typeof before === 'number' || numeric) {
    const n = Number(given);
    return Number.isFinite(n) ? n : undefined;
  }
  return given;
}
