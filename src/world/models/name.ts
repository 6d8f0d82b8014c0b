import type { ModelName } from '../../core/contract/index.ts';

/** `openai/gpt-6-sol`; a model's name may have slashes of its own. Null where it is none. */
export function parseName(text: string): ModelName | null {
  const match = /^([\w.-]+)\/(\S+)$/.exec(text.trim());
  return match === null ? null : { provider: match[1]!, model: match[2]! };
}

export const parseNames = (list: string): ModelName[] =>
  list.split(',').flatMap((text) => parseName(text) ?? []);
