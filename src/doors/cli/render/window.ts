/** Which of many steps are shown around one of them, and how many are not. `to` is exclusive. */
export interface Window {
  from: number;
  to: number;
  above: number;
  below: number;
}

/**
 * As many steps around `focus` as fit into `rows` lines, the lines that tell of hidden steps included. Such a
 * line takes the place of a step, so it never stands for one step only; in less than three lines there is none.
 */
export function windowAround(total: number, focus: number, rows: number): Window {
  if (total <= rows) return { from: 0, to: total, above: 0, below: 0 };
  const at = Math.min(Math.max(focus, 0), total - 1);
  if (rows < 3) return { from: at, to: at + Math.max(0, Math.min(1, rows)), above: 0, below: 0 };
  const inner = rows - 2;
  const from = at - Math.floor(inner / 2);
  if (from <= 1) return { from: 0, to: rows - 1, above: 0, below: total - rows + 1 };
  if (from + inner >= total - 1)
    return { from: total - rows + 1, to: total, above: total - rows + 1, below: 0 };
  return { from, to: from + inner, above: from, below: total - from - inner };
}
