import type { PlanProblem } from '@contract';
import { Prose } from '../../ui/prose.tsx';

export function Problems({ problems }: { problems: readonly PlanProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul aria-label="Problems" className="rounded-md border">
      {problems.map(({ code, severity, message, source, mend }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: problems are listed as they come
        <li key={at} className="border-b px-3 py-2 last:border-0">
          <p className={severity === 'error' ? 'text-fail' : 'text-wait'}>
            {source === undefined ? null : (
              <span className="num mr-2 text-faint">
                {source.line}:{source.col}
              </span>
            )}
            <Prose text={message} /> <span className="mono text-faint">{code}</span>
          </p>
          <p className="text-dim">
            <Prose text={mend} />
          </p>
        </li>
      ))}
    </ul>
  );
}
