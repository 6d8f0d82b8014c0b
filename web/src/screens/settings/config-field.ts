export type ConfigValue = string | number | boolean | null;

interface Schema {
  def?: { type?: string; innerType?: Schema; entries?: Record<string, string> };
}

/** The values that a setting takes, where it takes only some. */
export function choicesOf(schema: unknown): string[] | null {
  let inner = schema as Schema | undefined;
  while (inner?.def?.innerType !== undefined) inner = inner.def.innerType;
  return inner?.def?.type === 'enum' ? Object.values(inner.def.entries ?? {}) : null;
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
