import type { RequestBody } from '../../core/contract/index.ts';
import type { App } from '../app/app.ts';
import { ownerAt } from '../app/asker.ts';
import { exitCodes } from '../app/errors.ts';
import { type Context, note } from './context.ts';
import { lookOf } from './look-of.ts';
import { paragraph } from './render/look.ts';
import type { RunScreen } from './screens/index.ts';

/**
 * What whoever stays with a run is told by signals.
 *
 *   driving   Ctrl-C ──▶ rests after its step ──Ctrl-C──▶ cancels ──Ctrl-C──▶ leaves
 *             SIGTERM, SIGHUP ──▶ rests; the step under way has its grace ──again──▶ no grace ──again──▶ leaves
 *   watching  any of them ──▶ leaves: the run is another process's, and goes on there
 */
export interface Interrupts {
  /** How often it was asked to stop. */
  count: number;
  /** Aborts where this process is to leave the run to whoever drives it. */
  left: AbortSignal;
  off(): void;
}

/** Whoever ends a process gives it ten seconds at the least; ending a step's processes may take half of them. */
const GRACE_MS = 3000;

const endings = ['SIGTERM', 'SIGHUP'] as const;

/** `isWatched`: somebody else drives the run. */
export function onInterrupt(
  app: App,
  id: string,
  context: Context,
  view: RunScreen,
  isWatched: () => boolean,
): Interrupts {
  const leaving = new AbortController();
  let presses = 0;
  let endingsHeard = 0;
  const say = (text: string) => {
    view.suspend();
    const look = lookOf(context, 'stderr');
    for (const line of paragraph(text, look.width, look)) note(context, line);
    view.resume();
  };
  const ask = (body: RequestBody) => void app.runs.request(id, body, { by: ownerAt('terminal') });
  const isLeft = (times: number): boolean => {
    interrupts.count += 1;
    if (times > 2) process.exit(exitCodes.interrupted);
    const watched = isWatched();
    if (watched) leaving.abort();
    return watched;
  };
  const press = () => {
    presses += 1;
    if (isLeft(presses)) return;
    if (presses === 1)
      say('The run will rest after this step. Ctrl-C again ends the step and cancels the run.');
    else say('Cancelling.');
    ask(presses === 1 ? { type: 'pause-requested' } : { type: 'cancel-requested', reason: 'Ctrl-C' });
  };
  const end = () => {
    endingsHeard += 1;
    if (isLeft(endingsHeard)) return;
    const graceMs = endingsHeard === 1 ? GRACE_MS : 0;
    if (graceMs > 0) say(`The run will rest: its step has ${graceMs / 1000} s to end.`);
    ask({ type: 'pause-requested', graceMs });
  };
  const interrupts: Interrupts = {
    count: 0,
    left: leaving.signal,
    off() {
      process.off('SIGINT', press);
      for (const signal of endings) process.off(signal, end);
    },
  };
  process.on('SIGINT', press);
  for (const signal of endings) process.on(signal, end);
  return interrupts;
}
