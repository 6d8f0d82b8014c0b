import { type ModelRole, printModelName, type RunEvent } from '../contract/index.ts';
import type { ModelNote } from '../stream/index.ts';

/** Their answers are judged by what comes of them. */
const judgedLater: readonly ModelRole[] = ['planner', 'brain'];

/**
 *   planner   a draft is rejected ✗, or proposed to a person ✓
 *   brain     a correction is refused or does not help ✗, or helps ✓
 *   fast,     an answer arrives ✓
 *   chat
 *   all       an answer is not what was asked for, or the model does not want to ✗
 *
 * What a provider or the network did (errors, limits, timeouts) says nothing about the model's answers.
 */
export function noteOf(event: RunEvent): ModelNote | null {
  switch (event.type) {
    case 'model-call-started':
      return { kind: 'tried', id: event.callId, model: printModelName(event), role: event.role };
    case 'model-call-finished': {
      const { callId: id, outcome, replayed } = event;
      if (replayed) return { kind: 'dropped', id };
      if (outcome === 'invalid' || outcome === 'refused') return { kind: 'judged', id, accepted: false };
      return outcome === 'ok'
        ? { kind: 'judged', id, accepted: true, unless: judgedLater }
        : { kind: 'dropped', id };
    }
    case 'draft-rejected':
    case 'plan-proposed':
      return {
        kind: 'scored',
        model: printModelName(event.model),
        role: 'planner',
        accepted: event.type === 'plan-proposed',
      };
    case 'correction-attempt': {
      const { brain, name } = event.correction.source;
      return brain === 'model' ? { kind: 'tried', id: event.correctionId, model: name, role: 'brain' } : null;
    }
    case 'correction-refused':
    case 'correction-failed':
    case 'correction-success':
      return { kind: 'judged', id: event.correctionId, accepted: event.type === 'correction-success' };
    default:
      return null;
  }
}
