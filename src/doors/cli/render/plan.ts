import type { Action, Plan, ProposedPlan, Step, Verdict } from '../../../core/contract/index.ts';
import {
  count,
  duration,
  envWords,
  numberedSteps,
  numbersOf,
  proposedFacts,
  retryWords,
  stepKindWords,
  stepTimeWords,
} from '../../../core/contract/told/index.ts';
import { gap, indent, type Look, measure, type PrintAction, paragraph, spread } from './look.ts';
import { isAlarming } from './steps.ts';
import { visible } from './text/clean.ts';
import { displayWidth, padEnd, padStart } from './text/width.ts';

export interface PlanLook extends Look {
  printAction: PrintAction;
  /** What is known about the risk of a step before it runs. */
  verdictOf?: (step: Step) => Verdict | undefined;
  /** Steps that will not run (`--from`, `--only`). */
  excluded?: readonly string[];
  /** For somebody who decides on it: what each step is for and how long it takes, and what it all comes to. */
  proposed?: ProposedPlan | null;
}

const margin = ' ';
const labelWidth = 8;

/** The steps before a run: what each does, what it promises, what it needs, where it is written. */
export function renderPlan(plan: Plan, look: PlanLook): string[] {
  const { style, proposed = null } = look;
  const width = measure(look) - 2 * margin.length;
  const numbers = numbersOf(plan);
  const byId = new Map(plan.steps.map(({ id }, index) => [id, numbers[index] ?? null]));
  const digits = String(plan.steps.length).length;
  const facts = [
    count(numberedSteps(plan), 'step'),
    ...(plan.mode === undefined ? [] : [`${plan.mode} mode`]),
    plan.shell,
    ...(plan.revision > 0 ? [`revision ${plan.revision}`] : []),
  ];
  const separator = ` ${style.glyphs.separator} `;
  const proposal =
    proposed === null ? [] : [proposedFacts(proposed).map(([label, text]) => `${label}: ${text}`)];
  const lines = [
    ...paragraph(proposed === null ? plan.goal : `Intent: ${plan.goal}`, width, look).map(style.strong),
    ...proposal.flatMap((each) => paragraph(each.join(separator), width, look)),
    style.dim(facts.join(separator)),
    ...plan.steps.flatMap((step, index) => [
      '',
      ...stepBlock(step, numbers[index] ?? null, { byId, digits, width, look }),
    ]),
  ];
  return indent(lines, margin);
}

interface Block {
  /** The number of each step. */
  byId: ReadonlyMap<string, number | null>;
  digits: number;
  width: number;
  look: PlanLook;
}

function stepBlock(step: Step, number: number | null, block: Block): string[] {
  const { byId, digits, width, look } = block;
  const { style, printAction } = look;
  const inner = ' '.repeat(digits + 2);
  const room = Math.max(1, width - inner.length);
  const excluded = look.excluded?.includes(step.id) === true;
  const title = style[step.repairs === undefined ? (excluded ? 'dim' : 'strong') : 'changed'];
  const [first = '', ...rest] = paragraph(presentedTitle(step, look), room, look);
  const heading = `${style.dim(padStart(number === null ? '+' : String(number), digits))}  ${title(first)}`;
  const source = step.source && visible(`${step.source.file}:${step.source.line}`);
  const beside = source !== undefined && displayWidth(heading + gap + source) <= width;
  const after = step.after?.map((id) => byId.get(id) ?? id).join(', ') ?? '';
  const details = [
    ...actionText(step.action, printAction).flatMap((line) => paragraph(line, room, look)),
    ...detail('in', step.cwd, room, look),
    ...detail('with', step.env && envWords(step.env), room, look),
    ...detail('why', step.why && introduction(step.why), room, look),
    ...detail('expects', step.expects, room, look),
    ...detail(
      'after',
      after === '' ? undefined : `${step.after?.length === 1 ? 'step' : 'steps'} ${after}`,
      room,
      look,
    ),
    ...detail(`${style.glyphs.undo} undo`, step.undo && printAction(step.undo), room, look),
    ...detail('timeout', step.timeoutMs === undefined ? undefined : duration(step.timeoutMs), room, look),
    ...detail('retry', step.retry && retryWords(step.retry), room, look),
    ...detail('from', beside ? undefined : source, room, look),
    ...marks(step, excluded, room, look),
  ];
  return [
    beside ? spread(heading, style.dim(source), width, look) : heading,
    ...indent([...rest.map(title), ...details], inner),
  ];
}

/** `[TEST] Run the tests (about 30 s)` where somebody decides on it. */
function presentedTitle({ id, title }: Step, { proposed }: PlanLook): string {
  const found = proposed?.steps.find(({ stepId }) => stepId === id);
  return found === undefined ? title : `${stepKindWords(found)} ${title} (${stepTimeWords(found)})`;
}

/** More of it is for those who read the page: what stands last introduces the step. */
const LONGEST_WHY = 240;

function introduction(why: string): string {
  if (why.length <= LONGEST_WHY) return why;
  const end = why.slice(-LONGEST_WHY);
  const sentence = /[.!?:]\s+(?=\S[\s\S]{79})/.exec(end);
  const from = sentence === null ? end.indexOf(' ') + 1 : sentence.index + sentence[0].length;
  return `… ${end.slice(from)}`;
}

function detail(label: string, text: string | undefined, width: number, look: Look): string[] {
  const { style } = look;
  if (text === undefined) return [];
  const [first = '', ...rest] = paragraph(text, width - labelWidth - 1, look);
  return [
    style.dim(`${padEnd(label, labelWidth)} ${first}`),
    ...rest.map((line) => style.dim(' '.repeat(labelWidth + 1) + line)),
  ];
}

/** What a person should know before they say yes. */
function marks(step: Step, excluded: boolean, width: number, look: PlanLook): string[] {
  const { style, verdictOf } = look;
  const verdict = verdictOf?.(step);
  const { glyphs } = style;
  const warn = (glyph: string, text: string) => paragraph(`${glyph} ${text}`, width, look).map(style.waiting);
  return [
    ...(excluded ? [style.dim(`${glyphs.step.skipped} not selected, will not run`)] : []),
    ...(step.interactive ? warn(glyphs.waiting, 'interactive: needs you at the terminal') : []),
    ...(verdict !== undefined && isAlarming(verdict.level)
      ? warn(
          glyphs.risk[verdict.level],
          [verdict.level, verdict.reasons[0]?.sentence].filter(Boolean).join(': '),
        )
      : []),
    ...(verdict?.reversible === false && step.undo === undefined
      ? warn(glyphs.risk.dangerous, 'cannot be undone')
      : []),
  ];
}

/** A script line by line, as it was written; anything else as a plan file has it. */
function actionText(action: Action, printAction: PrintAction): string[] {
  if (action.kind !== 'run-script') return [printAction(action)];
  return [
    'RUN_SCRIPT',
    ...action.script
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
  ];
}
