import type { Mode, RunState, StepState } from '@contract';
import { modeMeaning, modeName, modes } from './words.ts';

/** Why the mode cannot be changed now, or null where it can. */
export function modeLock(state: RunState): string | null {
  if (state.ended) return 'The run has ended';
  if (state.inbox.some(({ request }) => request.type === 'mode-requested'))
    return 'The mode is being changed';
  return null;
}

export interface ModeChoice {
  mode: Mode;
  label: string;
  meaning: string;
  chosen: boolean;
}

/** The modes that a run can be put in, for menus; none where its mode cannot be changed now. */
export function modeChoices(state: RunState | null): ModeChoice[] {
  if (state === null || state.options === null || modeLock(state) !== null) return [];
  const { mode: now } = state.options;
  return modes.map((mode) => ({
    mode,
    label: `Mode: ${modeName[mode]}`,
    meaning: modeMeaning[mode],
    chosen: mode === now,
  }));
}

export interface Controls {
  pause: boolean;
  resume: boolean;
  cancel: boolean;
  undo: boolean;
}

/** What going on means for a run that rests. */
export function resumeWords(state: Pick<RunState, 'status' | 'plan' | 'stopReason'>): string {
  if (state.plan === null) return 'Plan again';
  if (state.stopReason === 'approval-denied') return 'Ask me again';
  const isOfStep = state.status === 'failed' || /^agent-/.test(state.stopReason ?? '');
  return isOfStep ? 'Attempt it again' : 'Go on';
}

export function controlsOf(state: RunState): Controls {
  const { status, ended } = state;
  const stopped = status === 'paused' || status === 'failed';
  return {
    pause: !ended && !stopped && status !== 'agreeing',
    resume: !ended && stopped,
    cancel: !ended,
    undo: state.steps.some(({ attempts }) => attempts > 0) && state.inFlight === null,
  };
}

/** What may be asked about one step. The driver decides; this only spares people what would be refused. */
export function stepChoices(run: RunState, { status, attempts }: StepState) {
  const open = !run.ended && status !== 'running';
  return {
    edit: open && status !== 'done',
    skip: open && (status === 'pending' || status === 'failed'),
    retry: open && (status === 'failed' || status === 'skipped'),
    undo: attempts > 0 && run.inFlight === null,
  };
}
