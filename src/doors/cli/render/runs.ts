import type { RunRow } from '../../../core/contract/index.ts';
import { ago, waitingWords } from '../../../core/contract/told/index.ts';
import { type Look, short } from './look.ts';
import { stateGlyph } from './state-glyph.ts';
import { visible } from './text/clean.ts';
import { displayWidth, padEnd, padStart } from './text/width.ts';

export interface RunsLook extends Look {
  now: number;
}

const shortest = 8;

/** The shortest beginnings of at least eight characters that still tell these ids apart. */
export function shortIds(ids: readonly string[]): string[] {
  const longest = Math.max(0, ...ids.map((id) => id.length));
  for (let length = shortest; length < longest; length += 1) {
    const cuts = ids.map((id) => id.slice(0, length));
    if (new Set(cuts).size === new Set(ids).size) return cuts;
  }
  return [...ids];
}

interface Column {
  heading: string;
  cells: string[];
  right?: boolean;
  /** The narrowest terminal that still shows it. */
  from: number;
}

/** `planwright runs`: one line a run, newest as the caller orders them. The goal takes what width is left. */
export function renderRunsTable(rows: readonly RunRow[], look: RunsLook): string[] {
  const { style, now, width } = look;
  if (rows.length === 0) return [style.dim(' No runs here yet. `planwright run FILE` starts one.')];
  const ids = shortIds(rows.map(({ id }) => id));
  const columns: Column[] = [
    { heading: 'Run', cells: ids, from: 0 },
    { heading: 'State', cells: rows.map((row) => stateCell(row, look)), from: 0 },
    {
      heading: 'Steps',
      cells: rows.map((row) => `${row.stepsDone}/${row.stepsTotal}`),
      right: true,
      from: 60,
    },
    { heading: 'When', cells: rows.map((row) => ago(row.undrivenSince ?? row.updatedAt, now)), from: 70 },
  ].filter((column) => width >= column.from);
  const lines = [-1, ...rows.keys()].map((index) => {
    const left = columns.map((column) => cell(column, index)).join('  ');
    const goal = index < 0 ? 'Goal' : visible(rows[index]?.goal ?? '');
    const line = ` ${left}  ${short(goal, Math.max(8, width - displayWidth(left) - 4), look)}`;
    return index < 0 ? style.dim(line) : line;
  });
  return lines.map((line) => short(line.trimEnd(), width, look));
}

function cell({ heading, cells, right }: Column, index: number): string {
  const width = Math.max(displayWidth(heading), ...cells.map(displayWidth));
  return (right ? padStart : padEnd)(index < 0 ? heading : (cells[index] ?? ''), width);
}

function stateCell({ state, waitingFor, stopReason, undrivenSince }: RunRow, { style }: Look): string {
  // When it was last heard of is in the column beside it.
  if (undrivenSince !== undefined) return `${style.waiting(style.glyphs.waiting)} ${state}, no driver`;
  const ended = stopReason === 'completed-with-skips' ? 'done, not all' : state;
  return `${stateGlyph(state, style)} ${waitingFor === null ? ended : waitingWords[waitingFor]}`;
}
