import type { RiskLevel } from '@contract';
import { riskShape } from '../model/words.ts';
import { cx } from './cx.ts';

/** Its shape says it, its word says it again; colour never does. */
export function Risk({ level, word = false }: { level: RiskLevel; word?: boolean }) {
  const strong = level === 'dangerous' || level === 'blocked';
  return (
    <span
      className={cx('inline-flex items-center gap-1', strong ? 'text-text' : 'text-dim')}
      title={`Risk: ${level}`}
    >
      <span aria-hidden="true" className="w-3.5 text-center text-[11px] leading-none">
        {riskShape[level]}
      </span>
      <span className={word ? '' : 'sr-only'}>{level}</span>
    </span>
  );
}
