import type { Meter as MeterView } from '../model/budgets.ts';
import { cx } from './cx.ts';

export function Meter({ meter }: { meter: MeterView }) {
  return (
    <div className="flex min-w-24 flex-col gap-1 max-md:min-w-0 max-md:flex-1">
      <span className="flex justify-between gap-x-2 whitespace-nowrap text-dim max-md:flex-col max-md:text-small">
        {meter.name} <b className="num font-medium text-text">{meter.text}</b>
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: the element itself cannot be drawn as a line */}
      <div
        role="meter"
        aria-label={meter.name}
        aria-valuenow={Math.round(meter.used * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-[3px] overflow-hidden rounded-full bg-line"
      >
        <div
          className={cx(
            'h-full rounded-full transition-[width] duration-150',
            meter.tight ? 'bg-wait' : 'bg-dim',
          )}
          style={{ width: `${Math.max(meter.used * 100, meter.used > 0 ? 2 : 0)}%` }}
        />
      </div>
    </div>
  );
}
