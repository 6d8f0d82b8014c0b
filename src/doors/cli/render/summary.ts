import type { RunState, StepState } from '../../../core/contract/index.ts';
import {
  activeTime,
  count,
  duration,
  halfwayWords,
  sentenceOf,
  tally,
  titleOf,
} from '../../../core/contract/told/index.ts';
import type { PathChange } from '../../app/undo.ts';
import { renderSpine } from './details.ts';
import { indent, type Look, measure, message, paragraph, short } from './look.ts';
import { nextCommands } from './next-commands.ts';
import { stateGlyph } from './state-glyph.ts';
import { cleanOutput, visible } from './text/clean.ts';
import { hasUndo, notUndone } from './undo-words.ts';

export interface SummaryLook extends Look {
  now: number;
  /** The run's id as a person may type it. */
  id: string;
  /** What the run has changed in its workspace. */
  changes?: readonly PathChange[];
}

const margin = ' ';
/** Lines of the failed step's output that are repeated at the end. */
const lastLines = 8;

/** What stays in the scrollback when the live view is gone: the goal, the whole spine and the summary. */
export function renderFinal(state: RunState, look: SummaryLook): string[] {
  const goal = paragraph(state.plan?.goal ?? '', measure(look) - 2 * margin.length, look);
  return [
    ...indent(goal.map(look.style.strong), margin),
    '',
    // In teacher mode each step's output was shown as it came.
    ...renderSpine(state, { ...look, outputs: state.options?.mode !== 'teacher' }),
    '',
    ...renderSummary(state, look),
  ];
}

/** The end of a run, or of watching it: what happened in one sentence, why, and what a person can do now. */
export function renderSummary(state: RunState, look: SummaryLook): string[] {
  const { style } = look;
  const width = measure(look) - 2 * margin.length - 2;
  const [first = '', ...rest] = paragraph(sentence(state, look), width, look);
  const isGoing = state.status === 'running' || state.status === 'recovering';
  const failed = isGoing ? [] : state.steps.filter(({ status }) => status === 'failed');
  const body = [
    ...rest.map(style.strong),
    ...counts(state, look),
    ...(failed.length > 0 ? failures(state, failed, look, width) : reason(state, look, width)),
    ...changed(look, width),
    ...uncovered(state, look, width),
    ...whatNow(state, failed.length > 0, look),
  ];
  return indent([`${stateGlyph(state.status, style)} ${style.strong(first)}`, ...indent(body, '  ')], margin);
}

const isAllDone = (state: RunState): boolean =>
  state.status === 'done' && state.steps.every(({ status }) => status === 'done');

function sentence(state: RunState, { now }: SummaryLook): string {
  const { text } = sentenceOf(state);
  if (isAllDone(state)) return `${text} in ${duration(activeTime(state, now))}.`;
  const [failed, ...others] = state.steps.filter(({ status }) => status === 'failed');
  const isNamed = state.status === 'failed' && others.length === 0 && failed !== undefined;
  return isNamed ? `${text}: ${titleOf(state.plan, failed.id)}` : `${text}.`;
}

function counts(state: RunState, { now, style }: SummaryLook): string[] {
  if (isAllDone(state)) return [];
  const { done, failed, skipped, open } = tally(state);
  const facts = [
    `${done} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(open > 0 ? [`${open} to go`] : []),
    duration(activeTime(state, now)),
  ];
  return [style.dim(facts.join(` ${style.glyphs.separator} `))];
}

function reason(state: RunState, look: Look, width: number): string[] {
  if (state.message === null || state.status === 'done') return [];
  return ['', ...message(state.message, width, look)];
}

const kindWords: Record<PathChange['kind'], string> = {
  added: ' (new)',
  removed: ' (deleted)',
  modified: '',
  mode: ' (its mode)',
  'type-changed': ' (its kind)',
};

/** Paths that are named; of more, how many there are. */
const named = 5;

function changed({ changes = [], style, ...look }: SummaryLook, width: number): string[] {
  if (changes.length === 0) return [];
  const tops = outermost(changes);
  const paths = tops.slice(0, named).map(({ path, kind }) => `${visible(path)}${kindWords[kind]}`);
  const rest = tops.length > named ? ` and ${tops.length - named} more` : '';
  return ['', ...paragraph(`Changed ${paths.join(', ')}${rest}.`, width, { style, ...look })];
}

/** What came or went with its folder goes without saying. */
function outermost(changes: readonly PathChange[]): PathChange[] {
  const kinds = new Map(changes.map(({ path, kind }) => [path, kind]));
  const isWithFolder = ({ path, kind }: PathChange): boolean => {
    if (kind !== 'added' && kind !== 'removed') return false;
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      if (kinds.get(path.slice(0, at)) === kind) return true;
    return false;
  };
  return changes.filter((change) => !isWithFolder(change));
}

/** Said where a run has come to rest: while it goes on, each checkpoint says it. */
function uncovered(state: RunState, look: Look, width: number): string[] {
  const said = notUndone(state);
  return said === null ? [] : ['', ...paragraph(said, width, look).map(look.style.dim)];
}

/** The first failure with its output; of the others, how many there are. */
function failures(state: RunState, failed: StepState[], look: SummaryLook, width: number): string[] {
  const { id, result } = failed[0]!;
  const { style } = look;
  const edge = style.failed(style.glyphs.spine);
  const halfway = halfwayWords(result);
  return [
    '',
    ...(failed.length > 1 ? paragraph(titleOf(state.plan, id), width, look) : []),
    ...message(result?.message ?? 'It failed.', width, look).map(style.failed),
    ...lastOutput(result?.stderrTail || result?.stdoutTail || '').map(
      (line) => `${edge} ${short(line, look.width - 6, look)}`,
    ),
    ...(halfway === null ? [] : paragraph(halfway, width, look)),
    ...(failed.length > 1 ? ['', `${count(failed.length - 1, 'more step')} failed.`] : []),
  ];
}

const lastOutput = (text: string): string[] =>
  text
    .split('\n')
    .map(cleanOutput)
    .filter((line) => line !== '')
    .slice(-lastLines);

function whatNow(state: RunState, failed: boolean, { style, id }: SummaryLook): string[] {
  const row = (label: string, text: string) => style.dim(label.padEnd(8)) + text;
  const logs = `planwright logs ${id}${failed ? ' --failed' : ''}`;
  const rows = [
    ...(state.steps.some(({ attempts }) => attempts > 0) ? [row('Log', logs)] : []),
    ...(state.corrections.length > 0 ? [row('Why', `planwright why ${id}`)] : []),
    ...(hasUndo(state) ? [row('Diff', `planwright diff ${id}`), row('Undo', `planwright undo ${id}`)] : []),
    ...nextCommands(state, id).map(([label, command]) => row(label, command)),
    ...state.services
      .filter(({ status }) => status === 'running')
      .map(({ name }) => row('Runs on', `service ${name}, until planwright ${endsServices(state, id)}`)),
  ];
  return rows.length === 0 ? [] : ['', ...rows];
}

const endsServices = ({ ended }: RunState, id: string): string =>
  ended ? `services stop ${id}` : `cancel ${id}`;
