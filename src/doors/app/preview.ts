import {
  added,
  type Blocks,
  isLoop,
  type RunState,
  type ShownStep,
  type Step,
  shellText,
} from '../../core/contract/index.ts';
import type { Performer } from '../../core/run/index.ts';
import { definedByWords, noDefinitions } from '../../core/shell/index.ts';

/** Each step as it will be once those before it are done. */
export async function previewSteps(run: string, state: RunState, performer: Performer): Promise<ShownStep[]> {
  const { signal } = new AbortController();
  const { plan, workspace, values } = state;
  let { session } = state;
  const shown: ShownStep[] = [];
  let earlier: Blocks<Step> = [];
  for (const step of plan?.steps ?? []) {
    const { revision, shell } = plan!;
    const open = { earlier, items: null, grants: null, unseen: false };
    const { subject, verdict } = await performer.judge(
      { run, revision, step, session, workspace, shell, values, ...open },
      signal,
    );
    shown.push({ subject, verdict });
    earlier = added(earlier, step);
    const text = shell === 'bash' && !isLoop(step.action) ? shellText(step.action) : null;
    if (text === null || step.action.kind === 'start') continue;
    const before = session.defined ?? noDefinitions;
    const defined = definedByWords(before, text);
    if (defined !== before) session = { ...session, defined };
  }
  return shown;
}
