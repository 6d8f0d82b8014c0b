import {
  capital,
  describeAction,
  type Plan,
  type RejectionReason,
  type Shell,
  type Step,
} from '../../../core/contract/index.ts';
import { parseAction } from '../../../core/plan/index.ts';
import { findEnvelope } from './envelope.ts';
import { type Draft, type DraftItem, readShape } from './shape.ts';

/** What a planner's raw answer says, before anybody asks whether it should be done. */
export type ReadDraft =
  | { is: 'unreadable'; message: string }
  | { is: 'rejected'; reasons: RejectionReason[]; how: string[] }
  | { is: 'question'; question: string; how: string[] }
  | { is: 'draft'; plan: Plan; summary: string; reflection: string; how: string[] };

export interface ReadOptions {
  goal: string;
  shell: Shell;
}

/** Never throws and never hangs, whatever a model wrote. */
export function readDraft(raw: string, { goal, shell }: ReadOptions): ReadDraft {
  const found = findEnvelope(raw);
  if (!found.ok) return { is: 'unreadable', message: `${capital(found.reason)}.` };
  const { how } = found;
  const shaped = readShape(found.value);
  if (!shaped.ok) return { is: 'rejected', reasons: shaped.reasons, how };
  const { draft } = shaped;
  if (!draft.ready) return asking(draft, how);
  const { steps, reasons } = toSteps(draft.items);
  if (reasons.length > 0) return { is: 'rejected', reasons, how };
  const { summary, reflection } = draft;
  return { is: 'draft', plan: { goal, shell, steps, revision: 0 }, summary, reflection, how };
}

/** A planner that is not ready asks in `reflection`; its plan, if it wrote one, is not looked at. */
function asking({ reflection, summary }: Draft, how: string[]): ReadDraft {
  const question = [reflection, summary].map((text) => text.trim()).find((text) => text !== '');
  if (question !== undefined) return { is: 'question', question: question.slice(0, 2000), how };
  const message = '`ready` is false, and `reflection` does not say what is missing.';
  const hint = 'Ask one question in `reflection`, or plan and set `ready` to true.';
  return { is: 'rejected', reasons: [{ code: 'no-question', message, hint }], how };
}

function toSteps(items: readonly DraftItem[]): { steps: Step[]; reasons: RejectionReason[] } {
  const reasons: RejectionReason[] = [];
  const steps = items.flatMap((item, index): Step[] => {
    const number = index + 1;
    const read = (key: 'action' | 'undo', line: string) => {
      const parsed = parseAction(line);
      if (parsed.ok) return parsed.action;
      const { message, mend } = parsed.error;
      reasons.push({
        code: 'invalid-action',
        step: number,
        message: `Step ${number}, \`${key}\`: ${message}`,
        hint: mend,
      });
      return null;
    };
    const action = read('action', item.action);
    const undo = item.undo === null ? null : read('undo', item.undo);
    if (action === null) return [];
    return [
      {
        id: `s${number}`,
        title: item.title ?? describeAction(action),
        action,
        expects: item.expects,
        ...(item.after.length > 0 ? { after: item.after.map((each) => `s${each}`) } : {}),
        ...(undo === null ? {} : { undo }),
      },
    ];
  });
  return { steps, reasons };
}
