import { count, relativeTo, visible } from '@told';
import type { Decision } from '../../../model/decision.ts';
import { shortPath } from '../../../model/paths.ts';
import { PathList } from '../../../ui/path-list.tsx';
import { Looks } from './frame.tsx';

/** Why it is asked about, whether it can be taken back, and what a no comes to. */
export function Reasons({ decision }: { decision: Decision }) {
  return (
    <ul className="mt-2 grid gap-0.5 text-dim">
      {decision.warning === null ? null : <li className="text-wait">{decision.warning}</li>}
      {decision.reasons.map(({ sentence }) => (
        <li key={sentence} className="font-medium text-text">
          {visible(sentence)}
        </li>
      ))}
      <Looks looks={decision.looks} />
      {decision.needs === null ? null : <li>{decision.needs}</li>}
      <li className={decision.lasting ? 'font-medium text-fail' : ''}>{visible(decision.undo)}</li>
      <li>
        <b className="font-medium text-text">If you deny:</b> {decision.ifDenied}
      </li>
    </ul>
  );
}

/** What it would touch, and where it runs. */
export function Touches({ decision }: { decision: Decision }) {
  const { paths, every, workspace } = decision;
  const folder = relativeTo(workspace, decision.folder);
  return (
    <>
      {paths === null ? null : (
        <p className="text-dim">
          Would touch <b className="num font-medium text-text">{count(paths.count, 'path')}</b>
        </p>
      )}
      {paths === null ? null : <PathList lists={paths} all={every} />}
      <p className="mt-1 text-dim">
        Runs in{' '}
        <span className="mono [overflow-wrap:anywhere]">
          {visible(folder === '.' ? shortPath(workspace) : folder)}
        </span>
      </p>
      {decision.unknownPaths === null ? null : (
        <p className="mt-1 font-medium text-text">{visible(decision.unknownPaths)}</p>
      )}
    </>
  );
}
