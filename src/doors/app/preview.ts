import { added, type Blocks, type RunState, type ShownStep, type Step } from '../../core/contract/index.ts';
import type { Performer } from '../../core/run/index.ts';

/** Each step as it will be once those before it are done. */
export async function previewSteps(run: string, state: RunState, performer: Performer): Promise<ShownStep[]> {
  const { signal } = new AbortController();
  const { plan, session, workspace, values } = state;
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
  }
  return shown;
}
