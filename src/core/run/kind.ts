import type { FactBody, RunEvent, RunRow, RunState } from '../contract/index.ts';
import type { Kind } from '../stream/index.ts';
import { attend } from './attend.ts';
import { keptRuns } from './kept.ts';
import { next } from './next.ts';
import type { RunWork } from './work.ts';

/** Plan runs, the first kind of stream. */
export const runKind: Kind<RunState, RunEvent, FactBody, RunWork, RunRow> = { ...keptRuns, next, attend };
