/**
 * What a correction makes of the purpose of its step.
 *
 * - `kept`: the same programs, verbs and targets, up to slips of the fingers, wrappers and the table of aliases.
 * - `faked`: it would succeed without the work. It is refused, whoever proposes it.
 * - `changed`: it may be right, but it is something else. A person is asked.
 */
export type Purpose =
  | { readonly is: 'kept' }
  | { readonly is: 'faked' | 'changed'; readonly sentence: string };

export const kept: Purpose = { is: 'kept' };
export const faked = (sentence: string): Purpose => ({ is: 'faked', sentence });
export const changed = (sentence: string): Purpose => ({ is: 'changed', sentence });
