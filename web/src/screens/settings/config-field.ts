import type { ConfigField } from '@contract';

export type ConfigValue = string | number | boolean | null;

export type SettingsPage = 'general' | 'models' | 'limits' | 'safety';

/** Every setting has its page: one that nobody has thought of is general. */
export function pageOf(key: string): SettingsPage {
  if (key.startsWith('limits.')) return 'limits';
  if (/^(models|planner)\.|^brain-/.test(key)) return 'models';
  return key === 'sandbox' || key === 'checkpoints' ? 'safety' : 'general';
}

/** What a person typed or chose as a value of a setting, or why it is none. */
export function readValue(
  text: string,
  { number, choices, nullable }: ConfigField,
): { value: ConfigValue } | { problem: string } {
  const given = text.trim();
  if (given === '') return nullable ? { value: null } : { problem: 'It needs a value' };
  if (choices !== null && !choices.includes(given)) return { problem: `It is one of ${choices.join(', ')}` };
  if (choices?.includes('true')) return { value: given === 'true' };
  if (number === null) return { value: given };
  const value = Number(given);
  const { least, most, whole } = number;
  if (!Number.isFinite(value)) return { problem: `“${given}” is no number` };
  if (whole && !Number.isSafeInteger(value)) return { problem: 'It is a whole number' };
  if (least !== null && value < least) return { problem: `It is ${least} or more` };
  if (most !== null && value > most) return { problem: `It is ${most} or less` };
  return { value };
}

/** What holds where nothing is set, as its description says; none where it says nothing. */
export const unsetWord = (about: string): string => /unset: ([^.;,]+)/.exec(about)?.[1] ?? 'none';
