import type { Correction } from '../index.ts';
import { count } from './text.ts';

/** What a brain proposes, and who it is, as the middle of a sentence. */

const brains: Record<Correction['source']['brain'], (name: string) => string> = {
  person: () => 'you',
  rule: (name) => `rule ${name}`,
  remembered: () => 'a remembered fix',
  program: (name) => `brain program ${name}`,
  model: (name) => name,
};

/** Who proposes it: `rule missing-parents`. */
export const sourceWords = ({ source: { brain, name } }: Correction): string => brains[brain](name);

const actions: Record<Correction['action'], (correction: Correction) => string> = {
  retry: () => 'attempt it again',
  modify: () => 'change the command',
  insert_steps: ({ newSteps = [] }) =>
    newSteps.length === 1 ? 'add a step before it' : `add ${count(newSteps.length, 'step')} before it`,
  skip: () => 'skip it',
  abort: () => 'end the run',
};

/** What it proposes to do: `add a step before it`. */
export const correctionWords = (correction: Correction): string => actions[correction.action](correction);
