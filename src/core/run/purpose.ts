import {
  type ActionOf,
  type Correction,
  type CorrectionState,
  canonical,
  correctionOf,
  pathsOf,
  type RiskReason,
  type RunState,
  type Step,
  type StepState,
  shellText,
  toolParts,
  type Verdict,
} from '../contract/index.ts';
import {
  countsTwice,
  doneTwice,
  goingOn,
  isOpaque,
  keepsPurpose,
  namesGrave,
  type Purpose,
  repairKeepsPurpose,
} from '../plan/index.ts';
import { changesMeaning, isSlip } from '../plan/nearest.ts';

/** What a correction makes of the purpose of the step that it is for, whichever brain it came from. */
export function purposeOf(
  known: CorrectionState,
  agreed: Step['action'] | null,
  step: Step,
  level?: Verdict['level'],
): Purpose {
  const purpose = keptBy(known, agreed, step, level === 'safe');
  const { doubt } = known.correction;
  return purpose.is === 'kept' && doubt !== undefined ? { is: 'changed', sentence: doubt } : purpose;
}

function keptBy(known: CorrectionState, agreed: Step['action'] | null, step: Step, isSafe: boolean): Purpose {
  const was = agreed ?? known.step.action;
  const original = shellText(was);
  if (step.id !== known.stepId) return repairKeepsPurpose(original ?? '', step.action);
  // The same elsewhere is the same, unless what it does there cannot be taken back.
  if (step.cwd !== known.step.cwd && (original ?? 'rm').split(/\s+/).some(namesGrave))
    return { is: 'changed', sentence: 'It works in another folder.' };
  if (canonical(was) === canonical(step.action)) return { is: 'kept' };
  const text = shellText(step.action);
  if (original === null || text === null)
    return isOtherWay(known, step.action) ? { is: 'kept' } : actionKeeps(was, step.action);
  const left = goingOn(original, known.result?.halfway?.done ?? []);
  const isProven = isSafe && /^(?:stdout|stderr|output) (?:contains|matches)/.test(step.expects ?? '');
  const told = { cwd: known.result?.session?.cwd, title: known.step.title, isProven };
  const goesOn = left !== null && keepsPurpose(left, text, told).is === 'kept';
  return goesOn ? { is: 'kept' } : keepsPurpose(original, text, told);
}

/**
 * The correction, so that the step goes on where it stopped: what ran and would show when it is done twice, or may, is
 * left out. As it is where nothing of that kind ran, or where going on is not surely the same: then a person is asked.
 */
export function goOn({ correction, step, result }: CorrectionState): Correction {
  const done = result?.halfway?.done ?? [];
  const text = correction.modifiedCommand ?? shellText(step.action);
  const isWhole = ['retry', 'modify', 'insert_steps'].includes(correction.action) && !correction.modifiedStep;
  if (!isWhole || text === null || !done.some((one) => countsTwice(one) || isOpaque(one))) return correction;
  const left = goingOn(text, done);
  if (left === null) return correction;
  const reasoning = `${correction.reasoning} It goes on where it stopped: what ran is not done again.`;
  return { ...correction, action: 'modify', modifiedCommand: left, reasoning };
}

/**
 * A tool said which others could do its work: one of these, or itself with the text that is really there, on the same files
 * and no others, does that work.
 */
function isOtherWay({ result, step: { action: was } }: CorrectionState, is: Step['action']): boolean {
  const signal = result?.selfCorrect;
  if (signal === undefined || was.kind !== 'call-tool' || is.kind !== 'call-tool') return false;
  if (is.tool !== was.tool && !signal.fallbackTools.includes(is.tool)) return false;
  const before = new Set(pathsOfCall(was));
  const after = pathsOfCall(is);
  return after.length > 0 && after.every((path) => before.has(path));
}

const pathsOfCall = (call: ActionOf<'call-tool'>): string[] =>
  (toolParts(call) ?? []).flatMap((part) => pathsOf(part).map(({ path }) => path));

/** Of what is no command: the same kind of action with the same content, at most with another path by a slip. */
function actionKeeps(was: Step['action'], is: Step['action']): Purpose {
  const { kind, ...words } = was;
  const now: Record<string, unknown> = { ...is };
  const other = Object.entries(words).find(([name, value]) => {
    const said = now[name];
    if (canonical(value ?? null) === canonical(said ?? null)) return false;
    const isText = typeof value === 'string' && typeof said === 'string';
    return !isText || !isSlip(value, said) || changesMeaning(value, said);
  });
  if (kind === is.kind && other === undefined) return { is: 'kept' };
  return { is: 'changed', sentence: 'It is another action than was agreed on.' };
}

/**
 * The verdict on a step that a correction made something else of, or that would do a part of itself twice: whatever it
 * does, a person is asked.
 */
export function asCorrected(verdict: Verdict, state: RunState, step: Step, stepState: StepState): Verdict {
  const asked = verdict.level === 'dangerous' || verdict.level === 'blocked';
  const reason = asked ? null : (becameOther(state, step, stepState, verdict) ?? isRepeated(state, step));
  return reason === null
    ? verdict
    : { ...verdict, level: 'dangerous', reasons: [reason, ...verdict.reasons] };
}

function becameOther(
  state: RunState,
  step: Step,
  { correction }: StepState,
  { level }: Verdict,
): RiskReason | null {
  const known = correctionOf(state, correction);
  if (known === undefined) return null;
  const agreed = state.steps.find(({ id }) => id === known.stepId)?.agreed ?? null;
  const purpose = purposeOf(known, agreed, step, level);
  return purpose.is === 'kept'
    ? null
    : { rule: 'other-purpose', level: 'dangerous', sentence: purpose.sentence };
}

/** It ran and failed, a brain has it attempted again, and its first part shows when it is done twice. */
function isRepeated(state: RunState, step: Step): RiskReason | null {
  const last = state.corrections.findLast(({ stepId, status }) => stepId === step.id && status === 'applied');
  const ran = last?.result?.why === 'exit-code' || last?.result?.why === 'expectation';
  const half = last?.result?.halfway;
  const twice = half
    ? half.done.find(countsTwice)
    : ran
      ? doneTwice(shellText(last.step.action) ?? '')
      : null;
  if (twice == null || (half && !(shellText(step.action) ?? twice).includes(twice))) return null;
  const sentence = `It failed on its way: \`${twice.slice(0, 200)}\` ${half ? 'has' : 'may have'} run, and would be done twice.`;
  return { rule: 'half-done', level: 'dangerous', sentence };
}
