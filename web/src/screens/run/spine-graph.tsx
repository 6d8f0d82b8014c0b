import type { RowState, RowView } from '../../model/row-view.ts';

/** Where the lanes run, and the middle between them, where a branch crosses from one row to the next. */
const x = [20, 36] as const;
const between = 28;

const nodeColour: Record<RowState, string> = {
  pending: 'var(--node)',
  running: 'var(--text)',
  waiting: 'var(--wait)',
  thinking: 'var(--mind)',
  done: 'var(--done)',
  failed: 'var(--fail)',
  skipped: 'var(--node)',
  interrupted: 'var(--wait)',
};
const hollow: ReadonlySet<RowState> = new Set(['pending', 'running', 'thinking', 'skipped', 'interrupted']);

/** One row's piece of the graph: what comes in from above, its node, what goes on below. */
export function SpineGraph({ view }: { view: RowView }) {
  const { lane, from, to } = view.row;
  const mind = view.machine || lane === 1 ? 'var(--mind)' : 'var(--mind)';
  const trunk = view.state === 'done' || view.state === 'failed' ? 'var(--done)' : 'var(--line-strong)';
  const up = view.state === 'pending' || view.state === 'skipped' ? 'var(--line-strong)' : 'var(--done)';
  const colour = nodeColour[view.state];
  const cx = x[lane];
  const dotted = (y1: number, y2: number) => (
    <path d={`M${x[0]} ${y1}V${y2}`} stroke="var(--line-strong)" strokeDasharray="2 3" />
  );
  return (
    <svg aria-hidden="true" width="46" height="32" className="shrink-0" fill="none" strokeWidth="2">
      {from === 0 && lane === 0 ? <path d={`M${x[0]} 0V16`} stroke={up} /> : null}
      {from === 0 && lane === 1 ? <path d={`M${between} 0C33 4 ${x[1]} 7 ${x[1]} 16`} stroke={mind} /> : null}
      {from === 1 && lane === 1 ? <path d={`M${x[1]} 0V16`} stroke={mind} /> : null}
      {from === 1 && lane === 0 ? <path d={`M${between} 0C23 4 ${x[0]} 7 ${x[0]} 16`} stroke={mind} /> : null}
      {from !== null && (from === 1 || lane === 1) ? dotted(0, 16) : null}
      {to === 0 && lane === 0 ? (
        <path d={`M${x[0]} 16V32`} stroke={view.state === 'failed' ? 'var(--line-strong)' : trunk} />
      ) : null}
      {to === 1 && lane === 0 ? (
        <path d={`M${x[0]} 16C${x[0]} 25 23 28 ${between} 32`} stroke={mind} />
      ) : null}
      {to === 1 && lane === 1 ? <path d={`M${x[1]} 16V32`} stroke={mind} /> : null}
      {to === 0 && lane === 1 ? (
        <path d={`M${x[1]} 16C${x[1]} 25 33 28 ${between} 32`} stroke={mind} />
      ) : null}
      {to !== null && (to === 1 || lane === 1) ? dotted(16, 32) : null}
      <Node state={view.state} cx={cx} colour={colour} />
    </svg>
  );
}

function Node({ state, cx, colour }: { state: RowState; cx: number; colour: string }) {
  if (state === 'skipped')
    return (
      <>
        <circle cx={cx} cy={16} r={4.5} fill="var(--bg)" />
        <path d={`M${cx - 4} 16H${cx + 4}`} stroke={colour} />
      </>
    );
  if (state === 'failed')
    return (
      <>
        <circle cx={cx} cy={16} r={6} fill={colour} />
        <path d={`M${cx - 2} 14l4 4m0-4l-4 4`} stroke="var(--bg)" strokeWidth={1.5} />
      </>
    );
  const moving = state === 'running' || state === 'thinking';
  return (
    <>
      {moving ? (
        <circle cx={cx} cy={16} r={8.5} fill={colour} opacity={0.22} className="motion-breathe" />
      ) : null}
      <circle
        cx={cx}
        cy={16}
        r={hollow.has(state) ? 4.5 : 5}
        fill={hollow.has(state) ? 'var(--bg)' : colour}
        stroke={hollow.has(state) ? colour : 'none'}
      />
      {state === 'running' ? <circle cx={cx} cy={16} r={2} fill={colour} /> : null}
      {state === 'waiting' ? (
        <circle cx={cx} cy={16} r={8} stroke={colour} strokeWidth={1} opacity={0.6} />
      ) : null}
    </>
  );
}
