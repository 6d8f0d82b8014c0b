import type { Config, Mode, RiskLevel } from '@contract';

/** Risk is a shape and a word, so that it can be told without colour. */
export const riskShape: Record<RiskLevel, string> = { safe: '○', caution: '◐', dangerous: '▲', blocked: '■' };

export const modeName: Record<Mode, string> = { teacher: 'Teacher', planner: 'Planner', agentic: 'Agentic' };
export const modes = Object.keys(modeName) as readonly Mode[];
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

/** Why a provider can be asked, or cannot. What the terminal is told to type for a key is a field here. */
export const providerWords = ({
  host,
  isUsable,
  why,
}: {
  host: string;
  isUsable: boolean;
  why: string;
}): string => (!isUsable && host !== '' && /^set \w+_KEY\b/.test(why) ? 'no key yet' : why);
