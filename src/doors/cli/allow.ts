import type { ShownStep } from '../../core/contract/index.ts';
import type { App } from '../app/app.ts';
import { ownerAt } from '../app/asker.ts';

interface Asks {
  workspace: string;
  approvals: readonly (ShownStep & { id: string })[];
}

/**
 * "Always allow here", of a run or a conversation, by its exact state: what is shown has its secrets hidden. Says what was
 * done, or why not.
 */
export async function allow(app: App, id: string, asks: Asks, approvalId: string): Promise<string> {
  const approval = asks.approvals.find((candidate) => candidate.id === approvalId);
  if (approval === undefined) return 'It no longer waits.';
  await app.streams.admit(ownerAt('terminal'), 'decide', 'allow here', id);
  const { allowHere } = await import('../app/rules.ts');
  return allowHere(app.places, asks.workspace, approval, Date.now());
}
