import type { DraftState } from '@contract';
import { count } from '@told';

export function draftWords({ status, reasons }: DraftState): string {
  if (status === 'proposed') return 'A plan that can be run';
  if (status === 'asking') return 'Could not go on without an answer';
  if (status === 'unreadable') return 'Could not be read';
  if (reasons.length > 0) return `Rejected: ${count(reasons.length, 'problem')}`;
  return 'Being checked';
}
