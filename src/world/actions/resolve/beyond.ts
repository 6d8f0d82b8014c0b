import { lstatSync } from 'node:fs';
import type { RiskReason, Verdict } from '../../../core/contract/index.ts';
import { isMadeAgain, isTemporary, worse } from '../../../core/risk/index.ts';
import { savedBytes } from '../../workspace/index.ts';
import type { Touch } from './touch.ts';

export interface Reach {
  workspace: string;
  temporary: string;
  /** When the run began, in milliseconds; what is younger in the temporary folder is taken to be its own. */
  since: number;
}

const reason = (rule: string, sentence: string): RiskReason => ({ rule, level: 'dangerous', sentence });

/** The verdict, with what is changed and no checkpoint would bring back: caution only holds where undo works. */
export function beyondCheckpoint(verdict: Verdict, touches: readonly Touch[], reach: Reach): Verdict {
  const reasons = touches.flatMap((touch) => {
    const why = touch.writes && touch.kind === 'file' ? whyLost(touch.path, reach) : null;
    return why === null ? [] : [why];
  });
  if (reasons.length === 0) return verdict;
  return worse(verdict, { ...verdict, level: 'dangerous', reasons: reasons.slice(0, 3), reversible: false });
}

function whyLost(path: string, { workspace, temporary, since }: Reach): RiskReason | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return null;
  if (!path.startsWith(`${workspace}/`)) {
    const isOld = (stats.birthtimeMs || stats.ctimeMs) < since;
    return isOld && isTemporary(path, { context: { temporary, workspace }, cwd: undefined })
      ? reason(
          'temporary-kept',
          `${path} was in the temporary folder before this run: undo cannot bring it back.`,
        )
      : null;
  }
  if (isMadeAgain(path.slice(workspace.length + 1))) return null;
  if (stats.size > savedBytes)
    return reason(
      'too-large-to-keep',
      `${path} is larger than a checkpoint keeps: undo cannot bring it back.`,
    );
  return isNested(path, workspace)
    ? reason('nested-repository', `${path} lies in a repository of its own, which no checkpoint holds.`)
    : null;
}

/** In a folder of the workspace that has a `.git` of its own. */
function isNested(path: string, workspace: string): boolean {
  for (let at = path.lastIndexOf('/'); at > workspace.length; at = path.lastIndexOf('/', at - 1))
    if (lstatSync(`${path.slice(0, at)}/.git`, { throwIfNoEntry: false })) return true;
  return false;
}
