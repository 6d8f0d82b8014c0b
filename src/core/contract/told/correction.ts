import type { Correction } from '../index.ts';
import { count } from './text.ts';
import { duration } from './time.ts';

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
  modify: ({ modifiedStep, modifiedCommand }) =>
    modifiedStep === undefined || modifiedCommand !== undefined ? 'change the command' : 'change the step',
  insert_steps: ({ newSteps = [] }) =>
    newSteps.length === 1 ? 'add a step before it' : `add ${count(newSteps.length, 'step')} before it`,
  skip: () => 'skip it',
  abort: () => 'end the run',
};

/** What it proposes to do: `add a step before it`. */
export const correctionWords = (correction: Correction): string => actions[correction.action](correction);

/** All that it changes, in the order in which it is done: what is run first, what the step becomes. */
export function correctionLines({
  newSteps = [],
  modifiedCommand,
  modifiedStep = {},
}: Changes): CorrectionLine[] {
  const { action, expects, timeoutMs, cwd } = modifiedStep;
  const changes: [label: string, text: string | undefined][] = [
    ...newSteps.flatMap((step): [string, string | undefined][] => [
      ['first', step.action.replace(/^RUN_COMMAND /, '')],
      ['', step.expects === undefined ? undefined : `expects ${step.expects}`],
    ]),
    ['then', modifiedCommand],
    ['then', action?.replace(/^RUN_COMMAND /, '')],
    ['in', cwd],
    ['expects', expects],
    ['timeout', timeoutMs === undefined ? undefined : duration(timeoutMs)],
  ];
  return changes.flatMap(([label, text]) => (text === undefined ? [] : [{ label, text }]));
}

type Changes = Pick<Correction, 'newSteps' | 'modifiedCommand' | 'modifiedStep'>;

export interface CorrectionLine {
  label: string;
  text: string;
}
