import {
  type Action,
  type Expectation,
  isLoop,
  type LoopAction,
  type Session,
  type Shell,
  type SimpleAction,
  type SingleAction,
  type Step,
  textsOf,
  type Value,
} from '../../../core/contract/index.ts';
import {
  findPlaceholders,
  type Refusal,
  substitute,
  substituteText,
  type Values,
} from '../../../core/plan/substitute/index.ts';

/** What a step is to do, with the values that the run has by now. */
export interface Filling {
  step: Step;
  values: Readonly<Record<string, Value>>;
  items: readonly string[] | null;
  shell: Shell;
}

export type Filled<T> = { ok: true; action: T } | { ok: false; sentence: string };

/** How often a loop goes round. */
export const countOf = (loop: LoopAction, items: readonly string[] | null): number =>
  loop.kind === 'repeat' ? loop.times : (items?.length ?? 0);

/** The step's action with its values in place; of a loop, all but `{item}` and `{index}`. */
export function fill({ step, values, shell }: Filling): Filled<Action> {
  const known = textsOf(values);
  if (isLoop(step.action)) {
    delete known['item'];
    delete known['index'];
  }
  return answer(substitute(step.action, known, { shell }), step.action, values);
}

/** Its variables with the values in place; of a loop without an item, all but what is the item's. */
export function fillEnv(filling: Filling, item: number | null): Pick<Step, 'env'> {
  const { env, action } = filling.step;
  if (env === undefined) return {};
  const known = isLoop(action) && item !== null ? ownValues(filling, action, item) : textsOf(filling.values);
  const filled = Object.entries(env).map(([name, value]) => [name, substituteText(value, known)]);
  return { env: Object.fromEntries(filled) };
}

/** The work as the step does it: with its own variables in the session that it begins with. */
export function dressed<T extends Filling & { session: Session }>(work: T, item: number | null): T {
  const { env } = fillEnv(work, item);
  const { session } = work;
  return env === undefined ? work : { ...work, session: { ...session, env: { ...session.env, ...env } } };
}

/** What one item of a loop comes to. All values go in at once, so a value that reads `{item}` stays as it is. */
export function fillItem(filling: Filling, loop: LoopAction, item: number): Filled<SimpleAction> {
  const { shell, values } = filling;
  const filled = substitute(loop.do, ownValues(filling, loop, item), { shell });
  return answer(filled, loop.do, values) as Filled<SimpleAction>;
}

/** What an attempt at the step, or at one item of it, is to do. */
export function fillAttempt(filling: Filling, item: number | null): Filled<SingleAction> {
  const { action } = filling.step;
  if (!isLoop(action)) return fill(filling) as Filled<SingleAction>;
  return item === null
    ? { ok: false, sentence: 'it is a loop, and no item is named' }
    : fillItem(filling, action, item);
}

/**
 * What the step promises, with its values in place, those of the item too. Values go into the form that was written:
 * they cannot make it another one. Only where it reads as none without them (`port {port} open`) is it read anew.
 */
export function fillExpects(
  filling: Filling,
  item: number | null,
  parse: (text: string) => Expectation | null,
): Expectation | null {
  const { step, values } = filling;
  if (step.expects === undefined) return null;
  const known =
    isLoop(step.action) && item !== null ? ownValues(filling, step.action, item) : textsOf(values);
  const written = parse(step.expects);
  if (written === null) return parse(substituteText(step.expects, known));
  const texts = written.kind === 'output-matches' ? asPatterns(known) : known;
  const fields = Object.entries(written).map(([name, field]) => [
    name,
    typeof field === 'string' ? substituteText(field, texts) : field,
  ]);
  return Object.fromEntries(fields) as Expectation;
}

/** In a pattern a value stands for itself. */
const asPatterns = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      String(value).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
    ]),
  );

function ownValues({ values, items }: Filling, loop: LoopAction, item: number): Values {
  const own = loop.kind === 'repeat' ? { index: item } : { index: item, item: items?.[item] ?? '' };
  return { ...textsOf(values), ...own };
}

function answer<T extends Action>(
  filled: { ok: true; action: T } | { ok: false; refusals: Refusal[] },
  action: Action,
  values: Filling['values'],
): Filled<T> {
  if (!filled.ok) {
    const refusal = filled.refusals[0];
    return { ok: false, sentence: refusal ? `${refusal.message} ${refusal.mend}` : 'A value does not fit.' };
  }
  const list = Object.values(isLoop(action) ? action.do : action)
    .flatMap((field) => (typeof field === 'string' ? findPlaceholders(field) : []))
    .find(({ name }) => Array.isArray(values[name]));
  if (list === undefined) return filled;
  return { ok: false, sentence: `\`{${list.name}}\` is a list. Go through it with FOR_EACH.` };
}
