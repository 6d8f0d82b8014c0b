import type { EventOf, RequestBody, RunState } from '../../core/contract/index.ts';
import { type Choice, capital, placeOf, portWords } from '../../core/contract/told/index.ts';
import { askKey } from './ask.ts';
import { type Context, note } from './context.ts';
import { lookOf } from './look-of.ts';
import { renderChoices } from './render/choices.ts';

const choices: readonly Choice<'keep' | 'wait' | 'skip'>[] = [
  { key: 'k', label: 'Keep it as a service: begin it again, and go on', decision: 'keep' },
  { key: 'w', label: 'Wait until it ends', decision: 'wait', default: true },
  { key: 's', label: 'End it, and go on without it', decision: 'skip' },
];

/** What is to become of a step that serves a port and will not end by itself; null: it is left as it is. */
export async function askToServe(
  context: Context,
  { stepId, ports }: EventOf<'step-listens'>,
  { plan }: RunState,
  signal: AbortSignal,
): Promise<RequestBody | null> {
  note(
    context,
    `\n ${capital(placeOf(plan, stepId))} serves ${portWords(ports)} and will not end by itself.\n`,
  );
  for (const line of renderChoices(choices, lookOf(context, 'stderr'))) note(context, ` ${line}`);
  const answer = await askKey(context, choices, signal);
  // The key that interrupts means the run, as it does without a question.
  if (answer === 'interrupted') process.kill(process.pid, 'SIGINT');
  if (typeof answer === 'string' || answer.decision === 'wait') return null;
  if (answer.decision === 'skip') return { type: 'skip-requested', stepId, reason: 'it serves a port' };
  return { type: 'serve-requested', stepId, port: ports[0]! };
}
