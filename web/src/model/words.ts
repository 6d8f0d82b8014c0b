import type { Config, Mode, RiskLevel } from '@contract';

/** Risk is a shape and a word, so that it can be told without colour. */
export const riskShape: Record<RiskLevel, string> = { safe: '○', caution: '◐', dangerous: '▲', blocked: '■' };
export const riskLevels: readonly RiskLevel[] = ['safe', 'caution', 'dangerous', 'blocked'];

export const modeName: Record<Mode, string> = { teacher: 'Teacher', planner: 'Planner', agentic: 'Agentic' };
export const modeMeaning: Record<Mode, string> = {
  teacher: 'You run each step; every step is explained',
  planner: 'Runs in order and stops at the first failure',
  agentic: 'A step that fails is mended, and the run goes on',
};

/** Who is asked about a failure, one after the other, in a word each. */
export const brainChain = (
  config: Pick<Config, 'brain-program'> | null,
  model: string | null,
): readonly string[] => [
  ...(config?.['brain-program'] == null ? [] : ['program']),
  'memory',
  'rules',
  ...(model === null ? [] : [model]),
];
