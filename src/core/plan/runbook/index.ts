export { MAX_RUNBOOK_BYTES, type ParsedRunbook, parseRunbook, type Runbook } from './parse.ts';
export { type Selected, selectByHeading } from './select.ts';
export type { RunbookStep } from './steps.ts';
