import type { RequestBody, RunState } from '../../core/contract/index.ts';
import { askKey, type Choice } from './ask.ts';
import { type Context, note } from './context.ts';
import { createStyle, renderApproval, renderInterrupt, renderOffer } from './view/index.ts';

/**
 * Puts the run's open question to the person at the terminal. Null where it was taken back, because
 * somebody answered elsewhere, or where there is none.
 */
export async function askAbout(
  context: Context,
  state: RunState,
  signal: AbortSignal,
): Promise<RequestBody | 'interrupted' | null> {
  const question = openQuestion(context, state);
  if (question === null) return null;
  note(context, question.text);
  const answer = await askKey(context, question.prompt, question.choices, signal);
  if (answer === 'interrupted') return 'interrupted';
  return answer === 'withdrawn' ? null : answer.value;
}

interface Question {
  text: string;
  prompt: string;
  choices: Choice<RequestBody>[];
}

function openQuestion(context: Context, state: RunState): Question | null {
  const style = createStyle({ env: context.env, isTTY: context.stderr.isTTY });
  const look = { style, width: context.stderr.columns ?? 80 };
  const approval = state.approvals.find((candidate) => candidate.status === 'needed');
  if (approval !== undefined) {
    const decide = (decision: 'approve' | 'deny' | 'abort'): RequestBody => ({
      type: 'approval-decided',
      approvalId: approval.id,
      decision,
    });
    return {
      text: renderApproval(approval, state, look),
      prompt: 'Let it run?',
      choices: [
        { key: 'y', label: '[y]es, once', value: decide('approve') },
        { key: 'n', label: '[N]o', value: decide('deny'), isDefault: true },
        { key: 'a', label: '[a]bort the run', value: decide('abort') },
      ],
    };
  }
  const offered = state.steps.find((step) => step.offered);
  if (offered !== undefined) {
    const decide = (decision: 'run' | 'skip' | 'did-it' | 'stop'): RequestBody => ({
      type: 'step-decided',
      stepId: offered.id,
      decision,
    });
    return {
      text: renderOffer(offered, state, look),
      prompt: 'This step:',
      choices: [
        { key: 'r', label: '[R]un it', value: decide('run'), isDefault: true },
        { key: 's', label: '[s]kip it', value: decide('skip') },
        { key: 'd', label: 'I [d]id it myself', value: decide('did-it') },
        { key: 'q', label: '[q]uit for now', value: decide('stop') },
      ],
    };
  }
  const { interrupted } = state;
  if (interrupted === null) return null;
  const decide = (decision: 'rerun' | 'skip' | 'done' | 'stop'): RequestBody => ({
    type: 'interrupt-decided',
    stepId: interrupted.stepId,
    attemptIndex: interrupted.attemptIndex,
    decision,
  });
  return {
    text: renderInterrupt(state, look),
    prompt: 'What became of it?',
    choices: [
      { key: 'r', label: '[r]un it again', value: decide('rerun') },
      { key: 'd', label: 'it is [d]one', value: decide('done') },
      { key: 's', label: '[s]kip it', value: decide('skip') },
      { key: 'q', label: '[Q]uit for now', value: decide('stop'), isDefault: true },
    ],
  };
}
