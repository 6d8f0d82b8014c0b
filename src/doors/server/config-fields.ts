import { z } from 'zod';
import { Config, type ConfigField, type ConfigKey } from '../../core/contract/index.ts';

interface Json {
  description?: string;
  type?: string;
  enum?: string[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  anyOf?: Json[];
}

let known: Record<ConfigKey, ConfigField> | undefined;

/** What every setting takes, read off its schema: a form needs no schema of its own. */
export function configFields(): Record<ConfigKey, ConfigField> {
  const { properties = {} } = z.toJSONSchema(Config, { io: 'output' }) as {
    properties?: Record<string, Json>;
  };
  known ??= Object.fromEntries(
    Object.entries(properties).map(([key, property]) => [key, fieldOf(property)]),
  ) as Record<ConfigKey, ConfigField>;
  return known;
}

function fieldOf(property: Json): ConfigField {
  const kinds = property.anyOf ?? [property];
  const inner = kinds.find(({ type }) => type !== 'null') ?? property;
  const isNumber = inner.type === 'number' || inner.type === 'integer';
  const whole = inner.type === 'integer';
  // Above zero is from one on where only whole numbers go.
  const above = inner.exclusiveMinimum === undefined ? null : inner.exclusiveMinimum + (whole ? 1 : 0);
  const most = inner.maximum === Number.MAX_SAFE_INTEGER ? null : (inner.maximum ?? null);
  return {
    about: property.description ?? '',
    choices: inner.enum ?? (inner.type === 'boolean' ? ['true', 'false'] : null),
    number: isNumber ? { least: inner.minimum ?? above, most, whole } : null,
    nullable: kinds.some(({ type }) => type === 'null'),
  };
}
