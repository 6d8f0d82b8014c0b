import type { Correction } from '@contract';

/** One correction as its events tell it: what was proposed after which attempt, and what became of it. */
export interface Mend {
  id: string;
  /** The step that failed. */
  stepId: string;
  /** The attempt that it answers, from 0. */
  afterAttempt: number;
  at: number;
  seq: number;
  correction: Correction | null;
  /** Steps that it put before the failed one. */
  stepIds: readonly string[];
  /** By a person's edit rather than a brain. */
  byPerson: boolean;
  status: 'proposed' | 'applied' | 'refused' | 'succeeded' | 'failed';
  message: string | null;
  revision: number | null;
}

/** Proposed by a rule, from memory, by a model: in words. */
export function sourceWords(correction: Correction | null, byPerson: boolean): string {
  if (byPerson || correction?.source.brain === 'person') return 'You';
  if (correction === null) return 'The brain';
  const { brain, name } = correction.source;
  if (brain === 'rule') return `Rule ${name}`;
  if (brain === 'remembered') return 'Remembered fix';
  return name;
}

export function correctionWords({ action, newSteps = [] }: Correction): string {
  switch (action) {
    case 'retry':
      return 'Tries it again';
    case 'modify':
      return 'Changes the command';
    case 'insert_steps':
      return newSteps.length === 1 ? 'Adds a step before it' : `Adds ${newSteps.length} steps before it`;
    case 'skip':
      return 'Skips it';
    case 'abort':
      return 'Gives up the run';
  }
}
