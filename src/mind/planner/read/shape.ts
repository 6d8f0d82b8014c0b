import type { RejectionReason } from '../../../core/contract/index.ts';
import { MAX_STEPS } from '../../../core/plan/index.ts';
import { nearest } from '../../../core/plan/nearest.ts';

/** A draft whose shape is right; nothing is said yet about what it would do. */
export interface Draft {
  summary: string;
  reflection: string;
  ready: boolean;
  items: DraftItem[];
}

export interface DraftItem {
  /** Null where the planner only numbered it. */
  title: string | null;
  action: string;
  expects: string;
  after: number[];
  undo: string | null;
}

const KEYS = ['goal', 'thinking_summary', 'reflection', 'ready', 'plan'];
const ITEM_KEYS = ['step', 'action', 'expects', 'after', 'undo'];

type Add = (code: string, step: number | null, message: string, hint: string) => void;

/** Reads the five keys and the items, and says everything that is wrong with them at once. */
export function readShape(
  value: unknown,
): { ok: true; draft: Draft } | { ok: false; reasons: RejectionReason[] } {
  const reasons: RejectionReason[] = [];
  const add: Add = (code, step, message, hint) =>
    reasons.push({ code, ...(step === null ? {} : { step }), message, hint });
  if (!isObject(value)) {
    add(
      'not-an-object',
      null,
      `The answer is ${kindOf(value)}, not an object.`,
      `Answer with an object of ${list(KEYS)}.`,
    );
    return { ok: false, reasons };
  }
  unknownKeys(value, KEYS, null, add);
  const text = (key: string) => {
    if (!Object.hasOwn(value, key)) missing(key, null, add);
    else if (typeof value[key] !== 'string') wrong(key, 'text', value[key], null, add);
    return typeof value[key] === 'string' ? value[key] : '';
  };
  const goal = text('goal');
  if (Object.hasOwn(value, 'goal') && typeof value['goal'] === 'string' && goal.trim() === '') {
    add('wrong-type', null, '`goal` is empty.', 'Write the goal again.');
  }
  const draft: Draft = {
    summary: text('thinking_summary'),
    reflection: text('reflection'),
    ready: readReady(value, add),
    items: readItems(value, add),
  };
  return reasons.length === 0 ? { ok: true, draft } : { ok: false, reasons };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : isObject(value)
        ? 'an object'
        : `a ${typeof value}`;

const list = (keys: readonly string[]) => keys.map((key) => `\`${key}\``).join(', ');

const place = (step: number | null) => (step === null ? '' : `Step ${step}: `);

function missing(key: string, step: number | null, add: Add): void {
  add('missing-key', step, `${place(step)}\`${key}\` is missing.`, `Add \`${key}\`.`);
}

function wrong(key: string, wanted: string, value: unknown, step: number | null, add: Add): void {
  const message = `${place(step)}\`${key}\` is ${kindOf(value)}, not ${wanted}.`;
  add('wrong-type', step, message, `Write \`${key}\` as ${wanted}.`);
}

function unknownKeys(
  value: Record<string, unknown>,
  known: readonly string[],
  step: number | null,
  add: Add,
): void {
  for (const key of Object.keys(value).slice(0, 50)) {
    if (known.includes(key)) continue;
    const shown = key.length > 40 ? `${key.slice(0, 39)}…` : key;
    const near = nearest(key, known);
    const hint =
      near === null ? `Use only ${list(known)}.` : `Did you mean \`${near}\`? Use only ${list(known)}.`;
    add(
      'unknown-key',
      step,
      `${place(step)}\`${shown}\` is not a key of ${step === null ? 'the answer' : 'a step'}.`,
      hint,
    );
  }
}

function readReady(value: Record<string, unknown>, add: Add): boolean {
  const { ready } = value;
  if (typeof ready === 'boolean') return ready;
  if (!Object.hasOwn(value, 'ready')) missing('ready', null, add);
  else wrong('ready', 'true or false', ready, null, add);
  return true;
}

function readItems(value: Record<string, unknown>, add: Add): DraftItem[] {
  const { plan } = value;
  if (!Object.hasOwn(value, 'plan')) {
    missing('plan', null, add);
    return [];
  }
  if (!Array.isArray(plan)) {
    wrong('plan', 'a list of steps', plan, null, add);
    return [];
  }
  if (plan.length === 0 && value['ready'] !== false) {
    add(
      'no-steps',
      null,
      '`plan` has no steps.',
      'Write at least one step, or set `ready` to false and ask in `reflection`.',
    );
  }
  if (plan.length > MAX_STEPS) {
    add(
      'too-many-steps',
      null,
      `The plan has ${plan.length} steps; ${MAX_STEPS} is the most.`,
      'Use FOR_EACH or REPEAT.',
    );
    return [];
  }
  return plan.map((item, index) => readItem(item, index + 1, add));
}

function readItem(item: unknown, step: number, add: Add): DraftItem {
  if (!isObject(item)) {
    add(
      'wrong-type',
      step,
      `Step ${step} is ${kindOf(item)}, not an object.`,
      `Write an object of ${list(ITEM_KEYS.slice(0, 3))}.`,
    );
    return { title: null, action: '', expects: '', after: [], undo: null };
  }
  unknownKeys(item, ITEM_KEYS, step, add);
  const text = (key: 'action' | 'expects' | 'undo') => {
    const value = item[key];
    if (typeof value !== 'string') {
      wrong(key, 'text', value, step, add);
      return '';
    }
    if (value.trim() === '')
      add('wrong-type', step, `Step ${step}: \`${key}\` is empty.`, `Write \`${key}\`.`);
    return value.trim();
  };
  const needed = (key: 'action' | 'expects') => {
    if (Object.hasOwn(item, key)) return text(key);
    missing(key, step, add);
    return '';
  };
  return {
    title: readTitle(item, step, add),
    action: needed('action'),
    expects: needed('expects'),
    after: readAfter(item['after'], step, add),
    undo: item['undo'] === undefined || item['undo'] === null ? null : text('undo'),
  };
}

/** `step` is a title, or the number that the step has anyway. */
function readTitle(item: Record<string, unknown>, step: number, add: Add): string | null {
  const { step: given } = item;
  if (!Object.hasOwn(item, 'step')) {
    missing('step', step, add);
    return null;
  }
  const number =
    typeof given === 'number'
      ? given
      : typeof given === 'string' && /^\s*\d+\s*$/.test(given)
        ? Number(given)
        : null;
  if (number !== null) {
    if (number !== step) {
      add(
        'step-number',
        step,
        `Step ${step} says that it is number ${number}.`,
        'Number the steps from 1 without a gap, or give titles.',
      );
    }
    return null;
  }
  if (typeof given !== 'string' || given.trim() === '') {
    wrong('step', 'a title or its number', given, step, add);
    return null;
  }
  return given.replace(/\s+/g, ' ').trim().slice(0, 200);
}

function readAfter(value: unknown, step: number, add: Add): number[] {
  if (value === undefined || value === null) return [];
  const given = Array.isArray(value) ? value : [value];
  return given.flatMap((each) => {
    const number = typeof each === 'string' && /^\d+$/.test(each) ? Number(each) : each;
    if (Number.isInteger(number)) return [number as number];
    wrong('after', 'a list of step numbers', each, step, add);
    return [];
  });
}
