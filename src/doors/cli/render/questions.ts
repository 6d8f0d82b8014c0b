import {
  judgementOf,
  type RunState,
  type Step,
  type StepState,
  type Subject,
} from '../../../core/contract/index.ts';
import {
  agreementWords,
  approvalChoicesAt,
  type Choice,
  type CorrectionPart,
  capital,
  count,
  grantChoices,
  grantWords,
  groupPaths,
  interruptChoices,
  lookWords,
  manualChoices,
  offerChoices,
  placeOf,
  proposerOf,
  type Question,
  sentenceOf,
  titleOf,
  undoWords,
  unknownPathsWords,
  wholeOf,
} from '../../../core/contract/told/index.ts';
import { renderChoices } from './choices.ts';
import { indent, type Look, type PrintAction, tildePath } from './look.ts';
import { displayWidth } from './text/width.ts';
import { actionLines, exactly, margin, say, verdictLines } from './verdict.ts';

/**
 * The questions that a run asks a person, as blocks of text with their choices. What is decided by is never
 * cut: it wraps, and characters that cannot be seen are spelled out.
 */
export interface QuestionLook extends Look {
  printAction: PrintAction;
  /** False where no key can be pressed. */
  choices?: boolean;
}

/** What a step that is offered does, line by line. */
interface Explained {
  explanation?: readonly string[];
}

const fewPaths = 8;

/** The open question of a run. */
export function renderOpen(question: Question, state: RunState, look: QuestionLook & Explained): string[] {
  switch (question.kind) {
    case 'planner':
      return ['', `${margin}The planner asks: ${question.text}`];
    case 'agreement':
      return [`${margin}${sentenceOf(state).text}.`];
    case 'interrupt':
      return renderInterrupt(question, state, look);
    case 'approval':
      return renderApproval(question, state, look);
    case 'offer':
      return renderOffer(question.step, state, look);
    case 'ask':
    case 'manual':
      return renderQuestion(question, state, look);
  }
}

export function renderApproval(
  { step, approval }: Extract<Question, { kind: 'approval' }>,
  state: RunState,
  look: QuestionLook,
): string[] {
  const { style } = look;
  const { verdict, subject } = approval;
  const { parts, warning } = wholeOf(approval, state);
  const heading = `${capital(placeOf(state.plan, step.id))} is ${verdict.level}:`;
  return question(heading, style.glyphs.risk[verdict.level], step.title, look, [
    ...actionLines(subject.action, look, verdict),
    '',
    ...(warning === null ? [] : say(warning, look)),
    ...partLines(parts, look),
    ...verdictLines(verdict, look),
    ...lookLines(step.id, state, look),
    ...say(`In ${tildePath(subject.cwd, look)}`, look),
    ...say(`${capital(proposerOf(step, state))}${step.why === undefined ? '' : `: ${step.why}`}`, look),
    ...pathLines(subject, look),
    ...say(undoWords(approval, state), look),
    ...choiceLines(approvalChoicesAt(state, step.id), look),
  ]);
}

/** A correction of several steps is decided on as one: all of it is shown, to the letter. */
function partLines(parts: readonly CorrectionPart[], look: QuestionLook): string[] {
  if (parts.length === 0) return [];
  const { risk } = look.style.glyphs;
  return [
    'The whole correction, in this order:',
    ...parts.flatMap(({ step, level, asked }, at) => {
      const [first = '', ...rest] = exactly(`${step.title}: ${look.printAction(step.action)}`, 13, look);
      const head = `  ${at + 1}. ${level === null ? ' ' : risk[level]} `;
      const lines = [`${head}${first}`, ...indent(rest, ' '.repeat(displayWidth(head)))];
      return asked ? lines.map(look.style.strong) : lines;
    }),
  ];
}

const lookLines = (stepId: string, state: RunState, look: Look): string[] =>
  lookWords(state, stepId).flatMap((text) =>
    say(`${look.style.glyphs.waiting} Before it runs: ${text}`, look).map(look.style.waiting),
  );

export const choiceLines = (
  choices: readonly Choice<string>[],
  look: Look & { choices?: boolean },
): string[] => (look.choices === false ? [] : ['', ...renderChoices(choices, look)]);

/** Teacher mode: a step is shown, explained, and run only by the person. */
export function renderOffer(step: Step, state: RunState, look: QuestionLook & Explained): string[] {
  const { verdict, subject } = judgementOf(state, step.id) ?? {};
  const { explanation = [] } = look;
  return question(`${capital(placeOf(state.plan, step.id))}:`, look.style.glyphs.waiting, step.title, look, [
    ...actionLines(step.action, look),
    '',
    ...explanation.flatMap((line) => say(line, look)),
    ...(step.why === undefined ? [] : say(`Why: ${step.why}`, look)),
    ...(step.expects === undefined ? [] : say(`Afterwards: ${step.expects}`, look)),
    ...(verdict === undefined ? [] : verdictLines(verdict, look)),
    ...(verdict === undefined || subject === undefined || verdict.reversible || verdict.level === 'safe'
      ? []
      : say(undoWords({ verdict, subject }, state), look)),
    ...lookLines(step.id, state, look),
    ...say(`In ${tildePath(subject?.cwd ?? state.session.cwd, look)}`, look),
    ...choiceLines(offerChoices, look),
  ]);
}

/** The sandbox refused something: what it would need, and no more. */
export function renderDenial({ id, result }: StepState, state: RunState, look: Look): string[] {
  const heading = `${capital(placeOf(state.plan, id))}:`;
  return question(heading, look.style.glyphs.waiting, titleOf(state.plan, id), look, [
    ...say(capital(result?.message ?? ''), look),
    ...say(`It wants to ${grantWords(result?.missing ?? {}).join(', and to ')}.`, look),
    ...choiceLines(grantChoices, look),
  ]);
}

/** A step that asks for a value, or for something to be done by hand. */
function renderQuestion(
  { kind, step, text }: Extract<Question, { kind: 'ask' | 'manual' }>,
  state: RunState,
  look: Look & { choices?: boolean },
): string[] {
  const heading = `${capital(placeOf(state.plan, step.id))}:`;
  return question(heading, look.style.glyphs.waiting, step.title, look, [
    ...say(text, look),
    ...(step.why === undefined ? [] : say(`Why: ${step.why}`, look)),
    ...(kind === 'manual' ? choiceLines(manualChoices, look) : []),
  ]);
}

/** A step was in flight when its driver died, and nothing tells whether it was done. */
export function renderInterrupt(
  { step, detail }: Extract<Question, { kind: 'interrupt' }>,
  state: RunState,
  look: QuestionLook,
): string[] {
  const heading = `Was ${placeOf(state.plan, step.id)} done?`;
  return question(heading, look.style.glyphs.step.interrupted, step.title, look, [
    ...actionLines(step.action, look),
    '',
    ...say(capital(detail), look),
    ...(step.expects === undefined ? [] : say(`If it was done: ${step.expects}`, look)),
    ...choiceLines(interruptChoices, look),
  ]);
}

/** The one question before a run, after `renderPlan` has shown the steps. */
export const renderAgreement = (
  { steps, workspace, dangerous }: { steps: number; workspace: string; dangerous: readonly string[] },
  choices: readonly Choice<string>[],
  look: Look,
): string[] => renderAsked(agreementWords(steps, tildePath(workspace, look), dangerous), look, choices);

/** A sentence, and what may be answered. */
export function renderAsked(text: string, look: Look, choices: readonly Choice<string>[]): string[] {
  const { style } = look;
  const [first = '', ...rest] = say(text, look);
  return indent(
    [
      `${style.waiting(style.glyphs.waiting)} ${style.strong(first)}`,
      ...indent([...rest.map(style.strong), '', ...renderChoices(choices, look)], '  '),
    ],
    margin,
  );
}

/** A heading, and below it what there is to say and to choose. */
export function question(
  heading: string,
  glyph: string,
  title: string,
  look: Look,
  body: string[],
): string[] {
  const { style } = look;
  const [first = '', ...rest] = say(`${heading} ${title}`, look);
  const lines = [`${style.waiting(glyph)} ${style.strong(first)}`, ...indent(rest.map(style.strong), '  ')];
  return indent([...lines, '', ...indent(body, '  ')], margin);
}

/** What it touches, as far as that can be known, and that there may be more. */
function pathLines({ paths, cwd, unknownPaths }: Subject, look: QuestionLook): string[] {
  const more = unknownPaths === undefined ? [] : say(unknownPathsWords(unknownPaths), look);
  return [...(paths.length === 0 ? [] : touchedLines(paths, cwd, look)), ...more];
}

/** A few paths are named, many are counted by folder, so that one can tell what kind of thing is touched. */
function touchedLines(paths: readonly string[], cwd: string, look: QuestionLook): string[] {
  const named = paths.map((path) => shownPath(path, cwd, look));
  const rows = named.length <= fewPaths ? named : byFolder(named);
  const shown = rows.slice(0, fewPaths);
  const more = rows.length - shown.length;
  return [
    `Would touch ${count(paths.length, 'path')}:`,
    ...shown.flatMap((row) => indent(exactly(row, 6, look), '  ')),
    ...(more > 0 ? [`  ${look.style.glyphs.ellipsis} and ${count(more, 'more folder')}`] : []),
  ];
}

const shownPath = (path: string, cwd: string, look: Look): string =>
  path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : tildePath(path, look);

function byFolder(paths: readonly string[]): string[] {
  const groups = groupPaths(paths, fewPaths);
  const digits = String(groups[0]?.count).length;
  return groups.map(({ folder, count }) => `${String(count).padStart(digits)}  ${folder}`);
}
