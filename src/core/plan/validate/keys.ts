import { fieldsOf, type Shell, type SimpleAction, type Step } from '../../contract/index.ts';
import { nearest } from '../nearest.ts';
import type { Problem } from '../problem.ts';
import { findPlaceholders, type Placeholder } from '../substitute/placeholders.ts';
import { placesOf } from '../substitute/substitute.ts';
import { type ActionView, type CheckedStep, type PlanRule, problemOf, textsIn } from './rule.ts';

type KeyKind = 'list' | 'text' | 'input';

const LOOP_KEYS = ['item', 'index'];

/** Keys are made before they are used, lists are lists, and placeholders stand where they can be replaced. */
export const keys: PlanRule = ({ plan, steps }) => {
  const problems: Problem[] = [];
  const known = new Map<string, KeyKind>();
  for (const input of plan.inputs ?? []) known.set(input.name, 'input');
  const madeAt = firstMakers(steps);
  for (const view of steps) {
    problems.push(...loopProblems(view, known, madeAt));
    const check = (role: ActionView['role']) => {
      const own = view.actions.filter((each) => each.role === role);
      const fields = (each: ActionView) => [
        ...textFields(each.action),
        ...(role === 'do' ? envFields(view.step) : []),
      ];
      problems.push(
        ...own.flatMap((each) => placeholderProblems(view, each, fields(each), known, madeAt, plan.shell)),
      );
    };
    check('do');
    const made = madeKey(view);
    if (made !== null) {
      problems.push(...makingProblems(view, made.key, known));
      known.set(made.key, made.kind);
    }
    // What undoes a step comes after it, and knows what it made.
    check('undo');
  }
  return problems;
};

function madeKey(view: CheckedStep): { key: string; kind: KeyKind } | null {
  const main = view.actions.find((each) => each.role === 'do');
  for (const { slot, value } of main === undefined ? [] : fieldsOf(main.action))
    if (slot.slot === 'as') return { key: String(value), kind: slot.makes };
  return null;
}

function firstMakers(steps: readonly CheckedStep[]): Map<string, number> {
  const makers = new Map<string, number>();
  for (const view of steps) {
    const made = madeKey(view);
    if (made !== null && !makers.has(made.key)) makers.set(made.key, view.index);
  }
  return makers;
}

function makingProblems(view: CheckedStep, key: string, known: ReadonlyMap<string, KeyKind>): Problem[] {
  if (LOOP_KEYS.includes(key)) {
    const mend = 'Use another key: `item` and `index` belong to loops.';
    return [problemOf(view, 'reserved-key', 'error', `\`${key}\` cannot be the key of a value.`, mend)];
  }
  if (known.has(key)) {
    const what = known.get(key) === 'input' ? 'an input' : 'an earlier key';
    const mend = 'Use another key if both values are needed.';
    return [problemOf(view, 'key-again', 'warning', `\`${key}\` takes the place of ${what}.`, mend)];
  }
  return [];
}

function loopProblems(
  view: CheckedStep,
  known: ReadonlyMap<string, KeyKind>,
  madeAt: ReadonlyMap<string, number>,
): Problem[] {
  const problems: Problem[] = [];
  const { action } = view.step;
  if (action.kind === 'for-each') {
    const kind = known.get(action.list);
    if (kind === undefined) {
      problems.push(unknownKey(view, action.list, 'list', [...known.keys()], madeAt));
    } else if (kind !== 'list') {
      const message = `\`${action.list}\` is one text, not a list.`;
      problems.push(
        problemOf(view, 'not-a-list', 'error', message, 'Make the list with LIST_FILES … AS key.'),
      );
    }
    if (action.do.kind === 'create-dir') {
      const message = 'CREATE_DIR inside FOR_EACH.';
      const mend = 'Create each folder in a step of its own, before the loop.';
      problems.push(problemOf(view, 'create-dir-in-for-each', 'error', message, mend));
    }
  }
  return problems;
}

function unknownKey(
  view: CheckedStep,
  key: string,
  what: 'list' | 'value',
  known: readonly string[],
  madeAt: ReadonlyMap<string, number>,
): Problem {
  const later = madeAt.get(key);
  if (later !== undefined) {
    const message = `\`${key}\` is made only in step ${later + 1}.`;
    return problemOf(view, 'key-too-late', 'error', message, 'Move that step before this one.');
  }
  const near = nearest(key, known);
  const make =
    what === 'list'
      ? `Add a step before it: LIST_FILES pattern AS ${key}.`
      : `Declare it under \`inputs\`, or make it before with AS ${key}.`;
  const message = `there is no ${what} \`${key}\`.`;
  return problemOf(view, 'unknown-key', 'error', message, near === null ? make : `Did you mean \`${near}\`?`);
}

type Field = { text: string; how: 'shell' | 'path' | 'text' };

/** The fields that values are put into. */
const textFields = (action: SimpleAction): Field[] =>
  fieldsOf(action).flatMap(({ slot, value }): Field[] => {
    const text = String(value);
    if (slot.slot === 'word') return slot.use === null ? [] : [{ text, how: 'path' }];
    if (slot.slot === 'rest') return [{ text, how: slot.isShell ? 'shell' : 'text' }];
    return slot.slot === 'string' ? [{ text, how: 'text' }] : [];
  });

/** No shell reads them. */
const envFields = ({ env = {} }: Step): Field[] => Object.values(env).map((text) => ({ text, how: 'text' }));

function placeholderProblems(
  view: CheckedStep,
  each: ActionView,
  fields: readonly Field[],
  known: ReadonlyMap<string, KeyKind>,
  madeAt: ReadonlyMap<string, number>,
  shell: Shell,
): Problem[] {
  const own = each.loop === 'for-each' ? LOOP_KEYS : each.loop === 'repeat' ? ['index'] : [];
  const isKnown = (name: string) => known.has(name) || own.includes(name);
  return fields.flatMap(({ text, how }) => {
    const placeholders = findPlaceholders(text);
    if (placeholders.length === 0) return [];
    const places = how === 'shell' ? placesOf(text, placeholders, shell) : null;
    return placeholders.flatMap((placeholder, index): Problem[] => {
      const place = places?.[index];
      if (isKnown(placeholder.name)) {
        if (place?.kind !== 'refused') return listAsText(view, placeholder, known);
        const message = `\`{${placeholder.name}}\` cannot be put here: ${place.why}.`;
        return [problemOf(view, 'placeholder-place', 'error', message, place.mend)];
      }
      if (!isMeant(text, placeholder, how, place?.kind, [...known.keys(), ...own])) return [];
      if (LOOP_KEYS.includes(placeholder.name)) {
        const message = `\`{${placeholder.name}}\` has no meaning here.`;
        const mend =
          placeholder.name === 'item' ? 'Use it inside FOR_EACH.' : 'Use it inside FOR_EACH or REPEAT.';
        return [problemOf(view, 'item-outside-loop', 'error', message, mend)];
      }
      return [unknownKey(view, placeholder.name, 'value', [...known.keys(), ...own], madeAt)];
    });
  });
}

/** Names in braces that stand for a word of a command, and that nothing gives a value. */
export function valuesWanted(text: string, shell: Shell, known: readonly string[]): string[] {
  const placeholders = findPlaceholders(text).filter(
    ({ name }) => !known.includes(name) && !LOOP_KEYS.includes(name),
  );
  if (placeholders.length === 0) return [];
  const places = placesOf(text, placeholders, shell);
  return placeholders
    .filter((placeholder, at) => isMeant(text, placeholder, 'shell', places[at]?.kind, known))
    .map(({ name }) => name);
}

/** Tools that have placeholders of their own: `gh api repos/{owner}/{repo}`, `xargs -I {x}`. */
const TEMPLATE_TOOLS = /\b(?:gh|glab|xargs|parallel|curl|wget|fd|http)\b/;

/**
 * Whether braces around an unknown name are a mistake rather than text. Code is full of braces: in a shell only what
 * would be a word of its own counts, and not git's `@{upstream}`; in contents only `{item}` and near misses.
 */
function isMeant(
  text: string,
  placeholder: Placeholder,
  how: Field['how'],
  place: string | undefined,
  known: readonly string[],
): boolean {
  if (how === 'path') return true;
  const near = nearest(placeholder.name, known) !== null;
  if (how === 'shell') {
    if (place !== 'word' || text[placeholder.start - 1] === '@') return false;
    return LOOP_KEYS.includes(placeholder.name) || near || !TEMPLATE_TOOLS.test(text);
  }
  return placeholder.name === 'item' || (placeholder.name.length > 3 && near);
}

function listAsText(
  view: CheckedStep,
  placeholder: Placeholder,
  known: ReadonlyMap<string, KeyKind>,
): Problem[] {
  if (known.get(placeholder.name) !== 'list') return [];
  const message = `\`{${placeholder.name}}\` is a list, and would become one word.`;
  const mend = `Write FOR_EACH ${placeholder.name} DO … {item}.`;
  return [problemOf(view, 'list-as-text', 'error', message, mend)];
}

/** An input that is asked for and goes nowhere: mostly one that is written in the way of another tool. */
export const unusedInputs: PlanRule = ({ plan, steps }) => {
  const inputs = plan.inputs ?? [];
  if (inputs.length === 0) return [];
  const texts = steps.flatMap(({ step }) => textsIn([step.action, step.undo, step.env]));
  const used = new Set(texts.flatMap((text) => findPlaceholders(text).map(({ name }) => name)));
  return inputs
    .filter(({ name }) => !used.has(name))
    .map(
      ({ name }): Problem => ({
        code: 'input-unused',
        severity: 'warning',
        message: `Nothing uses the input \`${name}\`.`,
        mend: mendFor(name, texts),
      }),
    );
};

function mendFor(name: string, texts: readonly string[]): string {
  const written = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  if (written(new RegExp(`\\{\\{\\s*(?:inputs\\.)?${name}\\s*\\}\\}`)))
    return `Write \`{${name}}\`: one pair of braces, with nothing before it.`;
  if (written(new RegExp(`\\$\\{?${name}\\b`)))
    return `Write \`{${name}}\`: an input is no variable of the shell. Or give it to the step: \`env: { ${name}: "{${name}}" }\`.`;
  return `Write \`{${name}}\` in an action, or leave the input out.`;
}
