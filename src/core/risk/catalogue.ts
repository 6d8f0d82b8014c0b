import { actionRules } from './action.ts';
import { pwshRules } from './pwsh/rules.ts';
import { catalogue as commandRules } from './rules/index.ts';
import type { RuleInfo } from './types.ts';

/** Every rule there is, by family: what the documentation is made from and the tests go through. */
export const catalogue: readonly {
  readonly family: string;
  readonly shell: 'bash' | 'pwsh' | 'action';
  readonly rules: readonly RuleInfo[];
}[] = [
  ...commandRules.map(([family, rules]) => ({ family, shell: 'bash' as const, rules })),
  { family: 'PowerShell', shell: 'pwsh', rules: pwshRules },
  { family: 'File actions and tools', shell: 'action', rules: Object.values(actionRules) },
];
