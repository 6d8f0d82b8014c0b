import type { ParameterExpansionPart, Word } from '../shell/index.ts';

/** What a pattern without wildcards is; undefined for others. */
const plain = (text: string | undefined): string | undefined =>
  text === undefined || /[*?[\]\\(]/.test(text) ? undefined : text;

/**
 * What `${x:-y}`, `${x#y}`, `${x/y/z}` and `${x,,}` stand for, where that is certain. `value`: what the variable holds,
 * undefined where that is not known. `read`: the value of a word, where it is known.
 */
export function expanded(
  { operation }: ParameterExpansionPart,
  value: string | undefined,
  read: (word: Word) => string | undefined,
): string | undefined {
  if (!operation || value === undefined) return undefined;
  switch (operation.type) {
    case 'Default': {
      // With a colon what is empty counts as unset; without one only what is unset does.
      const isSet = value !== '' || !operation.operator.startsWith(':');
      if (operation.operator.endsWith('+')) return isSet ? read(operation.operand) : '';
      return isSet ? value : read(operation.operand);
    }
    case 'Remove': {
      const pattern = plain(read(operation.operand));
      if (pattern === undefined) return undefined;
      if (operation.operator.startsWith('#'))
        return value.startsWith(pattern) ? value.slice(pattern.length) : value;
      return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) : value;
    }
    case 'Replace': {
      const [pattern, instead] = [plain(read(operation.pattern)), read(operation.replacement)];
      if (!pattern || instead === undefined || instead.includes('&')) return undefined;
      if (operation.operator === '//') return value.replaceAll(pattern, () => instead);
      if (operation.operator === '/') return value.replace(pattern, () => instead);
      return undefined;
    }
    case 'CaseModification': {
      if (operation.operand && operation.operand.text !== '') return undefined;
      const lower = operation.operator.startsWith(',');
      const change = (text: string): string => (lower ? text.toLowerCase() : text.toUpperCase());
      return operation.operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
    }
    default:
      return undefined;
  }
}

/** The word that stands for a variable which may not be set: `y` of `${x:-y}`. */
export function instead({ operation }: ParameterExpansionPart): Word | undefined {
  return operation?.type === 'Default' && /[-=+]$/.test(operation.operator) ? operation.operand : undefined;
}
