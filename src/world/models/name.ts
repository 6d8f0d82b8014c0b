import { type ModelName, parseModelName } from '../../core/contract/index.ts';

export const parseNames = (list: string): ModelName[] =>
  list.split(',').flatMap((text) => parseModelName(text) ?? []);
