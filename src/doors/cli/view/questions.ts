import type {
  Action,
  ApprovalState,
  RunState,
  Step,
  Subject,
  Verdict,
} from '../../../core/contract/index.ts';
import {
  agreementChoices,
  approvalChoices,
  interruptChoices,
  offerChoices,
  renderChoices,
} from './choices.ts';
import { count, indent, type Look, measure, type PrintAction, tildePath } from './look.ts';
import { visible } from './text/clean.ts';
import { wrap, wrapExactly } from './text/wrap.ts';
import { placeOf } from './words.ts';

/**
 * The questions that a run asks a person, as blocks of text with their choices. What is decided by is never
 * cut: it wraps, and characters that cannot be seen are spelled out.
 */
export interface QuestionLook extends Look {
  printAction: PrintAction;
  /** Every path of an approval, instead of the first few and how many more there are. */
  allPaths?: boolean;
}

const margin = ' ';
const fewPaths = 8;
const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

export function renderApproval(approval: ApprovalState, state: RunState, look: QuestionLook): string[] {
  const { style } = look;
  const { verdict, subject } = approval;
  const title = state.plan?.steps.find(({ id }) => id === approval.stepId)?.title ?? approval.stepId;
  const heading = `${capital(placeOf(state, approval.stepId))} is ${verdict.level}:`;
  return question(heading, style.glyphs.risk[verdict.level], title, look, [
    ...actionLines(subject.action, look),
    '',
    ...verdictLines(verdict, look),
    ...paragraph(`In ${tildePath(subject.cwd, look)}`, look),
    ...pathLines(subject, look),
    '',
    ...renderChoices(approvalChoices, look),
  ]);
}

/** Teacher mode: a step is shown, explained, and run only by the person. */
export function renderOffer(
  step: Step,
  state: RunState,
  look: QuestionLook & { explanation?: readonly string[] },
): string[] {
  const verdict = state.steps.find(({ id }) => id === step.id)?.judged?.verdict;
  const { explanation = [] } = look;
  return question(`${capital(placeOf(state, step.id))}:`, look.style.glyphs.waiting, step.title, look, [
    ...actionLines(step.action, look),
    '',
    ...explanation.flatMap((line) => paragraph(line, look)),
    ...(step.why === undefined ? [] : paragraph(`Why: ${step.why}`, look)),
    ...(step.expects === undefined ? [] : paragraph(`Afterwards: ${step.expects}`, look)),
    ...(verdict === undefined ? [] : verdictLines(verdict, look)),
    ...paragraph(`In ${tildePath(state.session.cwd, look)}`, look),
    '',
    ...renderChoices(offerChoices, look),
  ]);
}

/** A step was in flight when its driver died, and nothing tells whether it was done. */
export function renderInterrupt(state: RunState, look: QuestionLook): string[] {
  const { interrupted } = state;
  if (interrupted === null) return [];
  const step = state.plan?.steps.find(({ id }) => id === interrupted.stepId);
  const heading = `Was ${placeOf(state, interrupted.stepId)} done?`;
  return question(heading, look.style.glyphs.step.interrupted, step?.title ?? interrupted.stepId, look, [
    ...(step === undefined ? [] : [...actionLines(step.action, look), '']),
    ...paragraph(capital(interrupted.detail), look),
    ...(step?.expects === undefined ? [] : paragraph(`If it was done: ${step.expects}`, look)),
    '',
    ...renderChoices(interruptChoices, look),
  ]);
}

/** The one question before a run, after `renderPlan` has shown the steps. */
export function renderAgreement(steps: number, workspace: string, look: Look): string[] {
  const { style } = look;
  const where = visible(tildePath(workspace, look));
  const [first = '', ...rest] = wrap(`Run ${count(steps, 'step')} in ${where}?`, measure(look) - 4);
  return indent(
    [
      `${style.waiting(style.glyphs.waiting)} ${style.strong(first)}`,
      ...indent([...rest.map(style.strong), '', ...renderChoices(agreementChoices, look)], '  '),
    ],
    margin,
  );
}

function question(heading: string, glyph: string, title: string, look: Look, body: string[]): string[] {
  const { style } = look;
  const [first = '', ...rest] = wrap(`${heading} ${visible(title)}`, measure(look) - 4);
  const lines = [`${style.waiting(glyph)} ${style.strong(first)}`, ...indent(rest.map(style.strong), '  ')];
  return indent([...lines, '', ...indent(body, '  ')], margin);
}

const paragraph = (text: string, look: Look): string[] => wrap(visible(text), measure(look) - 4);

/** A command as one types it, a script line by line; anything else as a plan file has it. */
function actionLines(action: Action, look: QuestionLook): string[] {
  const text =
    action.kind === 'run-command'
      ? action.command
      : action.kind === 'run-script'
        ? action.script
        : look.printAction(action);
  const { style } = look;
  const edge = style.dim(style.glyphs.spine);
  return text
    .replace(/\n$/, '')
    .split('\n')
    .flatMap((line) => wrapExactly(visible(line), Math.max(1, measure(look) - 7)))
    .map((line) => `${edge} ${line}`);
}

function verdictLines({ reasons, reversible, needs }: Verdict, look: Look): string[] {
  const { style } = look;
  return [
    ...reasons.flatMap(({ sentence, level }) => paragraph(`${style.glyphs.risk[level]} ${sentence}`, look)),
    ...(needs.length > 0 ? paragraph(`Needs ${needs.join(' and ')}.`, look) : []),
    ...(reversible ? [] : paragraph('It cannot be undone.', look)),
  ];
}

/** A few paths are named, many are counted by folder, so that one can tell what kind of thing is touched. */
function pathLines({ paths, cwd }: Subject, look: QuestionLook): string[] {
  if (paths.length === 0) return [];
  const named = paths.map((path) => shownPath(path, cwd, look));
  const rows = look.allPaths || named.length <= fewPaths ? named : byFolder(named);
  const shown = look.allPaths ? rows : rows.slice(0, fewPaths);
  const more = rows.length - shown.length;
  return [
    `Would touch ${count(paths.length, 'path')}:`,
    ...shown.flatMap((row) => indent(wrapExactly(visible(row), measure(look) - 6), '  ')),
    ...(more > 0 ? [`  ${look.style.glyphs.ellipsis} and ${count(more, 'more folder')}`] : []),
  ];
}

const shownPath = (path: string, cwd: string, look: Look): string =>
  path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : tildePath(path, look);

function byFolder(paths: readonly string[]): string[] {
  const folders = new Map<string, number>();
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1) || './';
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  const digits = String(Math.max(...folders.values())).length;
  return [...folders].map(([folder, n]) => `${String(n).padStart(digits)}  ${folder}`);
}
